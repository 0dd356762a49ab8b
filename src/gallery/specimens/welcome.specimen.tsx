import { z } from 'zod'
import { read } from '#src/contract/call.ts'
import type { WelcomeRow, WelcomeSend } from '#src/contract/welcome.ts'
import type { WelcomeTried } from '#src/contract/welcomeTried.ts'
import { Hindered, Whom } from '#src/kit/welcome-columns.tsx'
import { WelcomeList } from '#src/kit/welcome-list.tsx'
import { WelcomeDetail } from '#src/kit/welcome-looks.tsx'
import { WelcomeTrial } from '#src/kit/welcome-trial.tsx'
import { add } from '../actions.ts'
import { lists } from '../answers.ts'
import type { Specimen } from '../specimen.ts'

const at = 1_772_380_800
const row: WelcomeRow = {
  id: 1,
  version: 0,
  name: '临江天街新客问候',
  scope: 'staff',
  mall_id: 1,
  department_ids: [],
  staff_ids: [1, 2, 3],
  priority: 10,
  hours: [],
  text: '你好 {客户昵称}，我是 {门店名} 的 {员工姓名}',
  attachments: [],
  coupon_id: null,
  is_default: false,
  base_id: null,
  base_name: '',
  mall_name: '临江天街',
  departments: [],
  advisers: ['胡雨桐', '程一诺', '罗子涵'],
  codes: [],
  codes_n: 0,
  windows: [],
  versions_n: 0,
  covered: 3,
  materials: [],
  coupon: null,
  media_fault: '',
  content_n: 2,
  status: 'enabled',
  off_reason: '',
  week: { sent: 128, missed: 3, taken: 1, refused: 0, unknown: 0 },
  clicks: { linked: 100, clickers: 24 },
  last_at: at,
  updated_at: at,
}
const ended: WelcomeRow = { ...row, id: 2, coupon: { name: '新客满减券', given: false } }
const verdict = { id: 1, name: row.name, scope: row.scope, priority: 10, hours: [] }
const tried: WelcomeTried = {
  adviser: '胡雨桐',
  code: '',
  at,
  winner: { ...verdict, text: row.text, skipped: [], attachments: [], coupon_id: null },
  verdicts: [{ ...verdict, is_default: false, verdict: 'wins' }],
}
const sends = read('gallery/welcome/sends', ['最近发送', 'Last sends'], {
  input: z.object({ id: z.int() }),
  output: z.object({ list: z.array(z.custom<WelcomeSend>()) }),
  touches: [],
  permit: 'signed-in',
  scope: { none: 'The gallery has no server' },
})
/** The list of rules, whose call is answered as its name says. */
const listed = (zh: string, en: string, lst: (typeof lists)['full']) =>
  ({
    name: [zh, en],
    height: 340,
    draw: () => (
      <WelcomeList
        calls={{ lst: lst as never, order: lst as never, sends }}
        label={['欢迎语', 'Welcome messages']}
        columns={[]}
        actions={[add]}
        sort={add}
        tried={undefined}
      />
    ),
  }) as const
export const specimen: Specimen = {
  part: 'welcome',
  title: ['欢迎语', 'Welcome messages'],
  states: [
    { name: ['适用对象', 'Whom it is for'], draw: () => <Whom row={row} /> },
    { name: ['礼券已停发', 'A coupon that ended'], draw: () => <Hindered row={ended} /> },
    {
      name: ['图片异常', 'A picture that can’t be had'],
      draw: () => <Hindered row={{ ...row, media_fault: '素材已过期' }} />,
    },
    {
      name: ['命中', 'One wins'],
      draw: () => <WelcomeTrial of={tried} />,
    },
    {
      name: ['没有可用', 'None would go'],
      draw: () => <WelcomeTrial of={{ ...tried, winner: null, verdicts: [] }} />,
    },
    {
      name: ['详情', 'One in detail'],
      height: 480,
      draw: () => <WelcomeDetail row={row} sends={sends} tried={undefined} />,
    },
    listed('没有规则', 'No rules', lists.empty),
    listed('规则加载失败', 'The rules failed to load', lists.failing),
  ],
}
