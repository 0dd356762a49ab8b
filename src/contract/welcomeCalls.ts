import { z } from 'zod'
import { welcomeScopes } from '#src/areas/welcome/welcome.ts'
import { placed } from './call.ts'
import type { callsOf } from './record.ts'
import { id, keysOf, page } from './shapes.ts'
import { materialPicks } from './wecomMaterial.ts'
import {
  welcomeFields,
  welcomeFilters,
  welcomeList,
  welcomeNames,
  welcomeOrder,
  welcomeSends,
} from './welcome.ts'
import { adviserPicks, couponPicks, departmentPicks } from './welcomeTried.ts'

/** The rows of every page of welcomes. */
export const WELCOMES = 'wecom_welcome'
/** The scope of the rules that are arranged. */
export const welcomeScope = keysOf(welcomeScopes)
/** What the list of welcomes hears of. */
const listed = [
  'wecom_welcome_send',
  'wecom_material',
  'wecom_department',
  'wecom_staff',
  'coupon',
  'channel_code',
]
/**
 * The calls that every page of welcomes has: `view` reads them, and `sort` is the right to arrange,
 * which the order is read by.
 */
export const welcomeCalls = (
  call: ReturnType<typeof callsOf>,
  { view, sort }: { view: string; sort: string },
) => ({
  lst: call.read('lst', ['欢迎语', 'Welcome messages'], {
    input: z.object({ ...page, ...welcomeFilters }),
    output: welcomeList,
    touches: [WELCOMES, ...listed],
    permit: view,
  }),
  sends: call.read('sends', ['最近发送', 'Last sends'], {
    input: z.object({ id }),
    output: welcomeSends,
    touches: ['wecom_welcome_send'],
    scope: placed(WELCOMES, 'id'),
    permit: view,
  }),
  order: call.read('order', ['同范围的顺序', 'The order in a scope'], {
    input: z.object({ scope: welcomeScope }),
    output: welcomeOrder,
    permit: sort,
  }),
  advisers: call.read('advisers', ['可选员工', 'Advisers to choose'], {
    ...adviserPicks,
    touches: ['wecom_staff'],
    scope: placed('wecom_staff'),
    permit: view,
  }),
  departments: call.read('departments', ['可选部门', 'Departments to choose'], {
    ...departmentPicks,
    touches: ['wecom_department'],
    scope: placed('wecom_department'),
    permit: view,
  }),
  coupons: call.read('coupons', ['可选礼券', 'Coupons to choose'], {
    ...couponPicks,
    touches: ['coupon'],
    scope: placed('coupon'),
    permit: view,
  }),
  materials: call.read('materials', ['可选素材', 'Materials to choose'], {
    ...materialPicks,
    touches: ['wecom_material'],
    scope: 'all',
    permit: view,
  }),
  create: call.creates('create', ['新增欢迎语', 'New message'], {
    fields: welcomeFields,
    scope: placed(WELCOMES, welcomeNames),
  }),
  edit: call.changes('edit', ['编辑欢迎语', 'Edit the message'], {
    fields: welcomeFields,
    scope: placed(WELCOMES, { id: WELCOMES, ...welcomeNames }),
  }),
  enable: call.changes('enable', ['启用欢迎语', 'Turn the message on']),
  copy: call.changes('copy', ['复制欢迎语', 'Copy the message']),
})
