; Nim: definitions only.
(type_declaration (type_symbol_declaration name: (_) @name) (object_declaration)
) @definition.struct
(type_declaration (type_symbol_declaration name: (_) @name) (enum_declaration)
) @definition.enum
(type_declaration (type_symbol_declaration name: (_) @name)) @definition.type
(proc_declaration name: (_) @name body: (_) @body) @definition.function
(func_declaration name: (_) @name body: (_) @body) @definition.function
(method_declaration name: (_) @name body: (_) @body) @definition.method
(iterator_declaration name: (_) @name body: (_) @body) @definition.function
(template_declaration name: (_) @name) @definition.macro
(macro_declaration name: (_) @name) @definition.macro
[(comment) (documentation_comment)] @comment
