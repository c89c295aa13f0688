; Scala 2 and 3. Classes, traits and objects nest and qualify; packages do not. The functions of an
; extension belong to the type it extends. `rules/scala.py` reads calls and imports.

; --- definitions; annotations are children of the declaration
(class_definition name: (_) @name body: (_)? @body) @definition.class
(object_definition name: (_) @name body: (_)? @body) @definition.class
(trait_definition name: (_) @name body: (_)? @body) @definition.trait
(enum_definition name: (_) @name body: (_)? @body) @definition.enum
(package_object name: (_) @name body: (_)? @body) @definition.module
(simple_enum_case name: (_) @name) @definition.constant
(full_enum_case name: (_) @name) @definition.constant
(type_definition name: (type_identifier) @name) @definition.type
(extension_definition parameters: (parameters . (parameter type: (_) @name))) @scope.type
(given_definition name: (_) @name) @definition.variable

(template_body (function_definition name: (_) @name body: (_)? @body) @definition.method)
(function_definition name: (_) @name body: (_)? @body) @definition.function
(function_declaration name: (_) @name) @definition.method

(class_definition "case" class_parameters: (class_parameters
  (class_parameter name: (_) @name) @definition.field))
(class_parameter ["val" "var"] name: (_) @name) @definition.field
(template_body (val_definition pattern: [
  (identifier) @name
  (identifiers (identifier) @name)
  (tuple_pattern (identifier) @name)
]) @definition.field)
(template_body (var_definition pattern: [
  (identifier) @name
  (identifiers (identifier) @name)
]) @definition.field)
(val_declaration name: (identifier) @name) @definition.field
(var_declaration name: (identifier) @name) @definition.field
(compilation_unit (val_definition pattern: (identifier) @name) @definition.variable)
(compilation_unit (var_definition pattern: (identifier) @name) @definition.variable)

[(comment) (block_comment)] @comment

; --- annotations
(annotation name: (type_identifier) @reference.decorator)
(annotation name: (generic_type type: (type_identifier) @reference.decorator))
(annotation name: (stable_type_identifier
  (_) @receiver (type_identifier) @name .)) @reference.decorator

; --- bases
(extends_clause (type_identifier) @reference.base)
(extends_clause (generic_type type: (type_identifier) @reference.base))
(extends_clause (stable_type_identifier (_) @receiver (type_identifier) @name .)
) @reference.base

; --- calls
[(call_expression) (generic_function) (instance_expression) (infix_expression)] @reference

; --- types: none that the language itself defines
(type_definition name: (type_identifier) @reference.none)
((type_identifier) @reference.none
  (#any-of? @reference.none
    "Int" "Long" "Short" "Byte" "Float" "Double" "Boolean" "Char" "String" "Unit" "Any" "AnyRef"
    "AnyVal" "Nothing" "Null"))
(stable_type_identifier (_) @receiver (type_identifier) @name .) @reference.type
(type_identifier) @reference.type

; --- imports
(package_clause name: (package_identifier) @module @import.package)
(import_declaration) @import
(export_declaration) @import
