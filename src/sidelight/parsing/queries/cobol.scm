; COBOL: definitions only.
(program_definition (identification_division (program_name) @name)) @definition.module
(paragraph_header) @definition.function @name
