; Go. Methods are qualified by their receiver's type; embedded types are bases.

; --- definitions
(function_declaration name: (identifier) @name body: (block) @body) @definition.function
(function_declaration name: (identifier) @name) @definition.function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @scope))
  name: (field_identifier) @name body: (block) @body) @definition.method
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @scope))
  name: (field_identifier) @name) @definition.method
(type_spec name: (type_identifier) @name
  type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec name: (type_identifier) @name type: (interface_type) @body) @definition.interface
(type_spec name: (type_identifier) @name type: (_) @body) @definition.type
(type_alias name: (type_identifier) @name) @definition.type
(method_elem name: (field_identifier) @name) @definition.method
(field_declaration name: (field_identifier) @name) @definition.field
((const_spec (identifier) @name) @definition.constant ; the field covers the first name only
  (#not-eq? @name "_"))
(var_spec . name: (identifier) @name
  value: (expression_list . (func_literal body: (block) @body) .)) @definition.function
((var_spec name: (identifier) @name) @definition.variable
  (#not-eq? @name "_"))
(short_var_declaration
  left: (expression_list . (identifier) @name .)
  right: (expression_list . (func_literal body: (block) @body) .)) @definition.function

(type_declaration . [(type_spec) (type_alias)] @wrapped .) @wrapper
(const_declaration . (const_spec) @wrapped .) @wrapper
(var_declaration . (var_spec) @wrapped .) @wrapper

(comment) @comment

; --- names that are declared, and what the language itself defines, are no references
(type_spec name: (type_identifier) @reference.none)
(type_alias name: (type_identifier) @reference.none)
(method_declaration receiver: (parameter_list (parameter_declaration type: [
  (type_identifier) @reference.none
  (pointer_type (type_identifier) @reference.none)
  (generic_type type: (type_identifier) @reference.none)
  (pointer_type (generic_type type: (type_identifier) @reference.none))
])))
((type_identifier) @reference.none
  (#any-of? @reference.none
    "any" "bool" "byte" "comparable" "complex64" "complex128" "error" "float32" "float64"
    "int" "int8" "int16" "int32" "int64" "rune" "string"
    "uint" "uint8" "uint16" "uint32" "uint64" "uintptr"))

; --- bases: what a struct or an interface embeds
(field_declaration !name type: [
  (type_identifier) @reference.base
  (generic_type type: (type_identifier) @reference.base)
])
(field_declaration !name type: (qualified_type
  package: (_) @receiver name: (_) @name)) @reference.base
(interface_type (type_elem . (type_identifier) @reference.base .))
(interface_type (type_elem . (generic_type type: (type_identifier) @reference.base) .))
(interface_type (type_elem . (qualified_type
  package: (_) @receiver name: (_) @name) .)) @reference.base

; --- calls
(call_expression function: (identifier) @reference.call)
(call_expression function: (selector_expression
  operand: (_) @receiver field: (field_identifier) @name)) @reference.call
(type_conversion_expression type: (generic_type type: (type_identifier) @reference.call))
(type_conversion_expression type: (generic_type type: (qualified_type
  package: (_) @receiver name: (_) @name))) @reference.call

; --- types; `(*T)(nil)` converts
(call_expression function: (parenthesized_expression (unary_expression
  operator: "*" operand: (identifier) @reference.type)))
(qualified_type package: (_) @receiver name: (_) @name) @reference.type
(type_identifier) @reference.type

; --- imports
(import_spec name: (dot) path: (_) @module) @import
(import_spec name: [(package_identifier) (blank_identifier)] @module_alias
  path: (_) @module) @import.import
(import_spec !name path: (_) @module) @import.import
(package_clause (package_identifier) @module) @import.package
