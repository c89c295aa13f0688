; C#. Types nest and qualify; namespaces do not (they are imports of kind `package`).

; --- definitions; attributes are children of the declaration
(class_declaration name: (identifier) @name body: (_)? @body) @definition.class
(record_declaration name: (identifier) @name body: (_)? @body) @definition.class
(record_declaration (parameter_list
  (parameter name: (identifier) @name) @definition.field))
(struct_declaration name: (identifier) @name body: (_)? @body) @definition.struct
(interface_declaration name: (identifier) @name body: (_)? @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_)? @body) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.constant
(delegate_declaration name: (identifier) @name) @definition.type
(method_declaration name: (identifier) @name body: (_)? @body) @definition.method
(constructor_declaration name: (identifier) @name body: (_)? @body) @definition.method
(destructor_declaration body: (_)? @body (#set! name "Finalize")) @definition.method
(indexer_declaration accessors: (_)? @body (#set! name "this[]")) @definition.method
(operator_declaration operator: _ @name body: (_)? @body) @definition.method
(conversion_operator_declaration body: (_)? @body
  (#set! name "operator")) @definition.method
(local_function_statement name: (identifier) @name body: (_)? @body) @definition.function
(field_declaration (modifier) @_const
  (variable_declaration (variable_declarator name: (identifier) @name))
  (#eq? @_const "const")) @definition.constant
(field_declaration
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
(event_field_declaration
  (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
(event_declaration name: (identifier) @name accessors: (_)? @body) @definition.field
(property_declaration name: (identifier) @name accessors: (_)? @body) @definition.field

(comment) @comment

; --- attributes
(attribute name: (identifier) @reference.decorator)
(attribute name: (generic_name . (identifier) @reference.decorator))
(attribute name: (qualified_name qualifier: (_) @receiver name: (_) @name)) @reference.decorator

; --- bases
(base_list) @reference

; --- calls; `nameof` is an operator
((identifier) @reference.none (#any-of? @reference.none "nameof" "var" "dynamic" "notnull"))
[(invocation_expression) (object_creation_expression)] @reference

; --- types: names in the places of types
(_ type: (identifier) @reference.type)
(_ type: (qualified_name) @reference)
(method_declaration returns: (identifier) @reference.type)
(method_declaration returns: (qualified_name) @reference)
(type_argument_list (identifier) @reference.type)
(type_argument_list (qualified_name) @reference)
(explicit_interface_specifier (identifier) @reference.type)
(as_expression right: (identifier) @reference.type)
(constant_pattern (identifier) @reference.type (#match? @reference.type "^[A-Z]"))
(generic_name . (identifier) @reference.type)

; --- imports
(using_directive) @import

; --- namespaces
(namespace_declaration name: (_) @module @import.package)
(file_scoped_namespace_declaration name: (_) @module @import.package)
