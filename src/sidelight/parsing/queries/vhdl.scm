; VHDL: definitions only.
(entity_declaration name: (_) @name) @definition.interface
(architecture_body name: (_) @name) @definition.module
(comment) @comment
