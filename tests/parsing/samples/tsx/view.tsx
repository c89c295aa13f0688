import React, { useState } from 'react'

interface Props { title: string; onSelect?: (row: Row) => void }

// The list.
export default function List({ title, onSelect }: Props): JSX.Element {
  const [open, setOpen] = useState<boolean>(false)
  const toggle = () => setOpen(!open)
  return (
    <Panel.Header title={title} onClick={toggle}>
      <Item<Row> key={1} render={() => draw(open)} />
      <p>{format(title)}</p>
    </Panel.Header>
  )
}

export const Memo = React.memo(List)
class Old extends React.Component<Props> {
  render() { return <List {...this.props} /> }
}
