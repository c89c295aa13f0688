; Elm: definitions only.
(type_alias_declaration name: (_) @name) @definition.type
(type_declaration name: (_) @name) @definition.type
(union_variant name: (_) @name) @definition.constant
(value_declaration functionDeclarationLeft: (function_declaration_left
  . (lower_case_identifier) @name) body: (_) @body) @definition.function
[(line_comment) (block_comment)] @comment
