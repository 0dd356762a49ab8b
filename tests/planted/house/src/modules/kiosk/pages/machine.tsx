import { useRead } from '#src/kit/data.ts'
import { machine } from '../contract.ts'

export default function Machine() {
  const { data } = useRead(machine.lst, {})
  return (
    <ul>
      {data?.list.map(row => (
        <li key={row.id}>{row.name}</li>
      ))}
    </ul>
  )
}
