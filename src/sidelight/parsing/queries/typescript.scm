; inherits: ecmascript
; What TypeScript adds. Overload signatures are definitions of their own.

; --- definitions
(abstract_class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(type_alias_declaration name: (_) @name value: (_) @body) @definition.type
(enum_declaration name: (_) @name body: (_) @body) @definition.enum
(enum_body (enum_assignment name: (_) @name) @definition.constant)
(enum_body name: (_) @name @definition.constant)
(internal_module name: (_) @name body: (_) @body) @definition.module
(module name: (_) @name body: (_) @body) @definition.module
(function_signature name: (_) @name) @definition.function
(interface_body (method_signature name: (_) @name) @definition.method)
(class_body (method_signature name: (_) @name) @definition.method)
(type_alias_declaration value: (object_type (method_signature
  name: (_) @name) @definition.method))
(abstract_method_signature name: (_) @name) @definition.method
(public_field_definition name: (_) @name 
  value: (arrow_function body: (_) @body)) @definition.method
(public_field_definition name: (_) @name) @definition.field
(interface_body (property_signature name: (_) @name) @definition.field)
(type_alias_declaration value: [
  (object_type (property_signature name: (_) @name) @definition.field)
  (intersection_type (object_type (property_signature name: (_) @name) @definition.field))
])
(ambient_declaration (_ (variable_declarator) @definition))
(internal_module body: (statement_block [
  (lexical_declaration (variable_declarator) @definition)
  (export_statement declaration: (lexical_declaration (variable_declarator) @definition))
]))
(module body: (statement_block [
  (lexical_declaration (variable_declarator) @definition)
  (export_statement declaration: (lexical_declaration (variable_declarator) @definition))
]))

; --- statements that belong to their one definition
(ambient_declaration (_) @wrapped) @wrapper
(ambient_declaration (lexical_declaration . (variable_declarator) @wrapped .) @wrapper)
(expression_statement (internal_module) @wrapped) @wrapper
(class_body (decorator) @attribute)

; --- names that are declared are no references
(class_declaration name: (type_identifier) @reference.none)
(abstract_class_declaration name: (type_identifier) @reference.none)
(class name: (type_identifier) @reference.none)
(interface_declaration name: (type_identifier) @reference.none)
(type_alias_declaration name: (type_identifier) @reference.none)
(type_parameter name: (type_identifier) @reference.none)
(infer_type . (type_identifier) @reference.none)
(mapped_type_clause name: (type_identifier) @reference.none)

; --- bases
(extends_clause value: (identifier) @reference.base)
(extends_clause value: (member_expression object: (_) @receiver property: (_) @name)) @reference.base
(implements_clause [
  (type_identifier) @reference.base
  (generic_type name: (type_identifier) @reference.base)
])
(implements_clause [
  (nested_type_identifier module: (_) @receiver name: (_) @name)
  (generic_type name: (nested_type_identifier module: (_) @receiver name: (_) @name))
] @reference.base)
(extends_type_clause type: [
  (type_identifier) @reference.base
  (generic_type name: (type_identifier) @reference.base)
])
(extends_type_clause type: [
  (nested_type_identifier module: (_) @receiver name: (_) @name)
  (generic_type name: (nested_type_identifier module: (_) @receiver name: (_) @name))
] @reference.base)

; --- types
(nested_type_identifier module: (_) @receiver name: (_) @name) @reference.type
(type_query (identifier) @reference.type)
(type_query (member_expression object: (_) @receiver property: (_) @name)) @reference.type
(type_identifier) @reference.type

; --- calls that only this grammar has: `await a.b<T>()` and `f!()`
(call_expression function: [(await_expression) (non_null_expression)] @reference)
