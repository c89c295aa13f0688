; Pascal: definitions only.
(declType name: (_) @name type: (declClass)) @definition.class
(declType name: (_) @name) @definition.type
(defProc header: (declProc name: (genericDot lhs: (_) @scope rhs: (_) @name))
  body: (_) @body) @definition.method
(defProc header: (declProc name: (identifier) @name) body: (_) @body) @definition.function
(declProc name: (identifier) @name) @definition.function
(declField name: (identifier) @name) @definition.field
(comment) @comment
