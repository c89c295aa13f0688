; Verilog: definitions only.
(module_declaration (module_header (simple_identifier) @name)) @definition.module
(class_declaration . (class_identifier) @name) @definition.class
(task_body_declaration (task_identifier) @name) @definition.function
(function_body_declaration (function_identifier) @name) @definition.function
(comment) @comment
