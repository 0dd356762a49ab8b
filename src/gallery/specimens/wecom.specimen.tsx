import { z } from 'zod'
import { read } from '#src/contract/call.ts'
import type { Relation, TimelineEntry } from '#src/contract/wecom.ts'
import { DAY } from '#src/domain/time.ts'
import { Facts } from '#src/kit/show.tsx'
import { ContactFacts, Relations, SyncState, Timeline } from '#src/kit/wecom.tsx'
import type { Specimen } from '../specimen.ts'

const at = 1_772_380_800
const live: Relation = {
  id: 1,
  staff_id: 1,
  name: '胡雨桐',
  staff_status: 'active',
  malls: '临江天街',
  status: 'following',
  stage: 'ordered',
  add_way: 'qrcode',
  source_state: 'store-45',
  hidden: false,
  remark: '陈女士',
  description: '周末到店',
  tags: ['亲子', '会员日'],
  added_at: at,
  lost_at: null,
}
const over: readonly Relation[] = [
  { ...live, id: 2, staff_status: 'left', status: 'deleted_by_customer', lost_at: at + DAY },
  { ...live, id: 3, hidden: true, remark: '', tags: [], status: 'transferred', lost_at: at + 60 },
]
const timeline = read('gallery/wecom/timeline', ['时间线', 'Timeline'], {
  input: z.object({ id: z.int(), page: z.int().default(1) }),
  output: z.object({ list: z.array(z.custom<TimelineEntry>()), more: z.boolean() }),
  touches: [],
  permit: 'signed-in',
  scope: { none: 'The gallery has no server' },
})
const run = {
  id: 1,
  kind: 'customers' as const,
  state: 'done' as const,
  read_n: 3200,
  changed_n: 12,
  errcode: 0,
  error: '',
  faults: [],
  started_at: at,
  finished_at: at + 60,
}
const busy = { ...run, id: 2, state: 'running' as const, finished_at: null }
const failed = {
  ...run,
  id: 3,
  state: 'failed' as const,
  errcode: 45_009,
  error: '接口调用超过限制',
}
const contact = {
  type: 'wechat',
  corp_name: '',
  gender: 'female',
  last_active_at: at,
  lost_at: at + DAY,
  external_short: 'wmHJ****wgLn',
  synced_at: at,
  is_stale: true,
  refused: { kind: 'remark', error: '备注过长', errcode: 40_058 },
} as const
export const specimen: Specimen = {
  part: 'wecom',
  title: ['企微客户的关系与同步', 'Relations and syncs of WeCom'],
  states: [
    { name: ['跟进中', 'Followed'], draw: () => <Relations rows={[live]} /> },
    {
      name: ['已结束与其他商场', 'Over, and another mall’s'],
      draw: () => <Relations rows={over} />,
    },
    {
      name: ['同步中', 'Syncing'],
      draw: () => <SyncState of={{ run: busy, done: run }} />,
    },
    {
      name: ['同步失败', 'A sync that failed'],
      draw: () => <SyncState of={{ run: failed, done: null }} />,
    },
    {
      name: ['联系人资料', 'What WeCom tells'],
      draw: () => (
        <Facts>
          <ContactFacts of={contact} />
        </Facts>
      ),
    },
    {
      name: ['时间线加载', 'A timeline on its way'],
      draw: () => <Timeline id={1} call={timeline} />,
    },
  ],
}
