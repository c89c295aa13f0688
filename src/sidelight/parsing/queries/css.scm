; CSS: definitions only.
(keyframes_statement (keyframes_name) @name) @definition.function
(comment) @comment
