; Dockerfile: definitions only.
(from_instruction as: (image_alias) @name) @definition.module
(comment) @comment
