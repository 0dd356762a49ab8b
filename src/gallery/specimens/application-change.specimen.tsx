import { storeFields } from '#src/areas/merchant/storeForm.ts'
import { DAY, HOUR, unixNow } from '#src/domain/time.ts'
import { ChangeHistory, ChangeLines, OpenChange } from '#src/kit/application-change.tsx'
import type { Specimen } from '../specimen.ts'

const now = unixNow()
const change = {
  kind: 'store_change' as const,
  state: 'pending' as const,
  reason: '',
  submitted_at: now - HOUR,
  asked: [],
  body: { name: '海底捞（万达旗舰店）', door_no: 'L5-01' },
  live: { name: '海底捞（万达店）', door_no: '—' },
}
const past = {
  ...change,
  id: 1,
  state: 'rejected' as const,
  submitter_name: '周敏',
  decided_at: now - DAY,
  decider_name: '林晓',
  reason_code: 'proofs' as const,
  reason: '请补交新门牌的证明材料',
}
export const specimen: Specimen = {
  part: 'application-change',
  title: ['申请的变更', 'What an application changes'],
  states: [
    {
      name: ['前后对照', 'Before and after'],
      draw: () => <ChangeLines names={storeFields} body={change.body} live={change.live} />,
    },
    { name: ['审核中', 'In audit'], draw: () => <OpenChange of={change} names={storeFields} /> },
    {
      name: ['要求补充', 'More asked for'],
      draw: () => (
        <OpenChange
          of={{ ...change, state: 'need_more', asked: ['store_place'], reason: '门牌照片' }}
          names={storeFields}
        />
      ),
    },
    {
      name: ['变更历史', 'Earlier changes'],
      draw: () => <ChangeHistory of={[past]} names={storeFields} />,
    },
    { name: ['没有历史', 'None yet'], draw: () => <ChangeHistory of={[]} names={storeFields} /> },
  ],
}
