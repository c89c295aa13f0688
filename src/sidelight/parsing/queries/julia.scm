; Julia: definitions only.
(module_definition name: (identifier) @name) @definition.module
(struct_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . (identifier) @name)
  (binary_expression . (parametrized_type_expression . (identifier) @name))
])) @definition.struct
(abstract_definition (type_head [
  (identifier) @name
  (parametrized_type_expression . (identifier) @name)
  (binary_expression . (identifier) @name)
])) @definition.type
(function_definition (signature [
  (call_expression . [(identifier) @name (field_expression (identifier) @name .)])
  (where_expression . (call_expression . [
    (identifier) @name
    (field_expression (identifier) @name .)
  ]))
  (typed_expression . (call_expression . (identifier) @name))
])) @definition.function
(macro_definition (signature (call_expression . (identifier) @name))) @definition.macro
(assignment . (call_expression . [
  (identifier) @name
  (field_expression (identifier) @name .)
])) @definition.function
(const_statement (assignment . (identifier) @name)) @definition.constant
[(line_comment) (block_comment)] @comment
