; Java. Types nest and qualify; the package does not (it is an import of kind `package`).

; --- definitions; annotations are children of the declaration
(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(record_declaration name: (identifier) @name body: (_) @body) @definition.class
(record_declaration
  parameters: (formal_parameters (formal_parameter name: (identifier) @name) @definition.field))
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_constant name: (identifier) @name body: (_)? @body) @definition.constant
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @definition.interface
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(method_declaration name: (identifier) @name body: (_)? @body) @definition.method
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.method
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @definition.method
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(field_declaration
  (modifiers "static" "final")
  declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(field_declaration
  (modifiers "final" "static")
  declarator: (variable_declarator name: (identifier) @name)) @definition.constant
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @definition.field

[(line_comment) (block_comment)] @comment

; --- annotations
(marker_annotation name: (identifier) @reference.decorator)
(annotation name: (identifier) @reference.decorator)
(marker_annotation name: (scoped_identifier
  scope: (_) @receiver name: (_) @name)) @reference.decorator
(annotation name: (scoped_identifier scope: (_) @receiver name: (_) @name)) @reference.decorator

; --- calls: methods, method references, constructors
(method_invocation object: (_) @receiver name: (identifier) @name) @reference.call
(method_invocation name: (identifier) @reference.call)
(method_reference . (_) @receiver (identifier) @name .) @reference.call
(object_creation_expression type: [
  (type_identifier) @reference.call
  (generic_type . (type_identifier) @reference.call)
])
(object_creation_expression type: [
  (scoped_type_identifier (_) @receiver (type_identifier) @name .)
  (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @name .))
]) @reference.call

; --- bases
(superclass [
  (type_identifier) @reference.base
  (generic_type . (type_identifier) @reference.base)
])
(superclass [
  (scoped_type_identifier (_) @receiver (type_identifier) @name .)
  (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @name .))
]) @reference.base
(type_list [
  (type_identifier) @reference.base
  (generic_type . (type_identifier) @reference.base)
])
(type_list [
  (scoped_type_identifier (_) @receiver (type_identifier) @name .)
  (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @name .))
]) @reference.base

; --- types; boxes and strings are the language's own
(type_parameter . (type_identifier) @reference.none)
((type_identifier) @reference.none
  (#any-of? @reference.none
    "String" "Object" "Integer" "Long" "Short" "Byte" "Character" "Boolean" "Float" "Double"
    "Void" "var"))
(scoped_type_identifier (type_identifier) @reference.none . ".")
(scoped_type_identifier (scoped_type_identifier (type_identifier) @reference.none))
(scoped_type_identifier (_) @receiver (type_identifier) @name .) @reference.type
(type_identifier) @reference.type

; --- imports: `import a.b.C` brings C from a.b
(package_declaration [(scoped_identifier) (identifier)] @module) @import.package
(import_declaration
  (scoped_identifier scope: (_) @module name: (_) @imported) . ";") @import.import
(import_declaration (_) @module (asterisk) @imported) @import.import
