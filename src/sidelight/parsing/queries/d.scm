; D: definitions only.
(class_declaration (class) . (identifier) @name) @definition.class
(interface_declaration (interface) . (identifier) @name) @definition.interface
(struct_declaration (struct) . (identifier) @name) @definition.struct
(enum_declaration (enum) . (identifier) @name) @definition.enum
(function_declaration (identifier) @name . (parameters)) @definition.function
[(comment)] @comment
