; Luau: definitions only.
(function_declaration name: (identifier) @name body: (_) @body) @definition.function
(function_declaration name: [
  (dot_index_expression table: (_) @scope field: (_) @name)
  (method_index_expression table: (_) @scope method: (_) @name)
]) @definition.method
(type_definition name: (_) @name) @definition.type
(comment) @comment
