; inherits: typescript jsx
; TSX is TypeScript with JSX; the grammar differs, the node types do not.
