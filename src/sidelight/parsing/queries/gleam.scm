; Gleam: definitions only.
(function name: (identifier) @name body: (_) @body) @definition.function
(type_definition (type_name name: (_) @name)) @definition.type
(type_alias (type_name name: (_) @name)) @definition.type
(data_constructor name: (_) @name) @definition.constant
(constant name: (identifier) @name) @definition.constant
(comment) @comment
