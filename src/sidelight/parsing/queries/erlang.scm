; Erlang: definitions only.
(fun_decl clause: (function_clause name: (_) @name)) @definition.function
(record_decl name: (_) @name) @definition.struct
(type_alias name: (type_name name: (_) @name)) @definition.type
(pp_define lhs: (macro_lhs name: (_) @name)) @definition.macro
(comment) @comment
