; SCSS: definitions only.
(mixin_statement name: (_) @name (block) @body) @definition.function
(function_statement name: (_) @name (block) @body) @definition.function
(stylesheet (declaration (property_name) @name (#match? @name "^[$]")) @definition.variable)
(keyframes_statement (keyframes_name) @name) @definition.function
(comment) @comment
