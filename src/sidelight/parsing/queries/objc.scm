; Objective-C: definitions only.
(class_interface . (identifier) @name) @definition.class
(class_implementation . (identifier) @name) @definition.class
(protocol_declaration . (identifier) @name) @definition.interface
(method_declaration (method_type) . (identifier) @name) @definition.method
(method_definition (method_type) . (identifier) @name) @definition.method
(property_declaration (struct_declaration (struct_declarator (_) @name))) @definition.field
(preproc_def name: (_) @name) @definition.macro
(preproc_function_def name: (_) @name) @definition.macro
(function_definition declarator: (function_declarator declarator: (identifier) @name)
  body: (_) @body) @definition.function
(function_definition declarator: (pointer_declarator declarator: (function_declarator
  declarator: (identifier) @name)) body: (_) @body) @definition.function
(struct_specifier name: (_) @name body: (_) @body) @definition.struct
(enum_specifier name: (_) @name body: (_) @body) @definition.enum
(type_definition declarator: (type_identifier) @name) @definition.type
(comment) @comment
