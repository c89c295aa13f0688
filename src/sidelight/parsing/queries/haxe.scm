; Haxe: definitions only.
(class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(typedef_declaration name: (_) @name) @definition.type
(function_declaration name: (_) @name) @definition.function
(class_declaration body: (block (variable_declaration name: (_) @name) @definition.field))
(comment) @comment
