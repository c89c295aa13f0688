; Starlark: definitions only.
(function_definition name: (identifier) @name body: (_) @body) @definition.function
(module (expression_statement (assignment left: (identifier) @name)) @definition.variable)
(module (expression_statement (call function: (_) arguments: (argument_list
  (keyword_argument name: (identifier) @_name value: (string (string_content) @name)))
  (#eq? @_name "name"))) @definition.module)
(comment) @comment
