import { ListFoot, PageJump } from '#src/kit/foot.tsx'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { lists } from '../answers.ts'
import { Kept } from '../frame.tsx'
import type { Specimen } from '../specimen.ts'

const Foot = () => <ListFoot of={useList(lists.full) as unknown as ListState<unknown>} />
export const specimen: Specimen = {
  part: 'foot',
  title: ['列表的底栏', 'The foot of a list'],
  states: [
    { name: ['一张列表', 'Of a list'], height: 40, draw: () => <Foot /> },
    {
      name: ['跳到某页', 'To a page'],
      height: 40,
      draw: () => (
        <div className="m-foot">
          <Kept first={3}>{(page, go) => <PageJump page={page} pages={26} go={go} />}</Kept>
        </div>
      ),
    },
  ],
}
