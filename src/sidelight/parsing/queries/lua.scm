; Lua. `M.f` and `M:f` are named by the table they are put into. Locals of a file are variables; those
; inside functions are matched and dropped by the framework.

; --- definitions; what is required is an import and no variable
(variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (function_call name: (identifier) @_require) .))
  (#eq? @_require "require")) @definition.none
(variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name .)
  (expression_list . value: (dot_index_expression
    table: (function_call name: (identifier) @_require)) .))
  (#eq? @_require "require")) @definition.none
(function_declaration name: (identifier) @name body: (_)? @body) @definition.function
(function_declaration name: (dot_index_expression
  table: (_) @scope field: (identifier) @name) body: (_)? @body) @definition.function
(function_declaration name: (method_index_expression
  table: (_) @scope method: (identifier) @name) body: (_)? @body) @definition.method
(variable_declaration (assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition body: (_)? @body)))) @definition.function
(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @scope field: (identifier) @name))
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(assignment_statement
  (variable_list . name: (bracket_index_expression
    table: (_) @scope field: (string content: (_) @name)))
  (expression_list . value: (function_definition body: (_)? @body))) @definition.function
(field name: (identifier) @name value: (function_definition body: (_)? @body)
) @definition.function
(field name: (identifier) @name value: (table_constructor)) @scope.namespace
(chunk (assignment_statement (variable_list
  name: (dot_index_expression table: (_) @scope field: (identifier) @name))) @definition.field)
(chunk (variable_declaration (assignment_statement
  (variable_list name: (identifier) @name))) @definition.constant
  (#match? @name "^_*[A-Z][A-Z0-9_]+$"))
(chunk (variable_declaration (assignment_statement
  (variable_list name: (identifier) @name))) @definition.variable)
(chunk (variable_declaration (variable_list name: (identifier) @name)) @definition.variable)
(chunk (assignment_statement (variable_list name: (identifier) @name)) @definition.variable)

(comment) @comment

; --- calls; requiring is an import
(function_call name: (identifier) @reference.none (#any-of? @reference.none "require" "dofile"))
(function_call name: (identifier) @reference.call)
(function_call name: (dot_index_expression
  table: (_) @receiver field: (identifier) @name)) @reference.call
(function_call name: (method_index_expression
  table: (_) @receiver method: (identifier) @name)) @reference.call

; --- imports
[(variable_declaration) (function_call)] @import
