import { useList } from '#src/kit/uselist.ts'
import { useView, Views } from '#src/kit/views.tsx'
import { lists } from '../answers.ts'
import type { Specimen } from '../specimen.ts'

const Menu = () => {
  const at = useView()
  return <Views of={useList(lists.full)} at={at} />
}
const Opened = () => {
  const at = useView()
  const of = useList(lists.full)
  return <Views of={of} at={at.all[0] ? { ...at, view: at.all[0], changed: true } : at} />
}
export const specimen: Specimen = {
  part: 'views',
  title: ['视图', 'Views of a list'],
  states: [
    { name: ['没有选视图', 'None chosen'], draw: () => <Menu /> },
    { name: ['已选，已改动', 'Chosen, changed'], draw: () => <Opened /> },
  ],
}
