; Dart: definitions only.
(class_definition name: (identifier) @name body: (_) @body) @definition.class
(mixin_declaration (identifier) @name (class_body) @body) @definition.trait
(extension_declaration name: (identifier) @name body: (_) @body) @definition.class
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_constant name: (identifier) @name) @definition.constant
(type_alias . (type_identifier) @name) @definition.type
(class_body (method_signature (_ name: (identifier) @name)) @definition.method)
(extension_body (method_signature (_ name: (identifier) @name)) @definition.method)
(enum_body (method_signature (_ name: (identifier) @name)) @definition.method)
(class_body (declaration (constructor_signature name: (identifier) @name)) @definition.method)
(class_body (declaration (function_signature name: (identifier) @name)) @definition.method)
(class_body (declaration (initialized_identifier_list
  (initialized_identifier (identifier) @name))) @definition.field)
(program (function_signature name: (identifier) @name) @definition.function)
[(comment) (documentation_comment)] @comment
