; Protocol Buffers: definitions only.
(message (message_name) @name (message_body) @body) @definition.struct
(enum (enum_name) @name (enum_body) @body) @definition.enum
(service (service_name) @name) @definition.interface
(rpc (rpc_name) @name) @definition.method
(field (identifier) @name) @definition.field
(map_field (identifier) @name) @definition.field
(oneof_field (identifier) @name) @definition.field
(enum_field . (identifier) @name) @definition.constant
(comment) @comment
