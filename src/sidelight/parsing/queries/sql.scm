; SQL: definitions only.
(create_table (object_reference name: (identifier) @name)) @definition.struct
(create_view (object_reference name: (identifier) @name)) @definition.type
(create_materialized_view (object_reference name: (identifier) @name)) @definition.type
(create_function (object_reference name: (identifier) @name)) @definition.function
(create_trigger (object_reference name: (identifier) @name)) @definition.function
(create_type (object_reference name: (identifier) @name)) @definition.type
(create_index column: (identifier) @name) @definition.variable
(column_definition name: (identifier) @name) @definition.field
(statement (_) @wrapped) @wrapper
[(comment) (marginalia)] @comment
