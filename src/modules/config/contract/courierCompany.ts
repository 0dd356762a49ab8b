import { z } from 'zod'
import { TRACKING_MAX } from '#src/areas/shipping/courier.ts'
import { parcelStates } from '#src/areas/shipping/track.ts'
import { callsOf, reason, status } from '#src/contract/record.ts'
import {
  id,
  keysOf,
  keyText,
  open,
  phoneText,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { joined } from '#src/domain/text.ts'

export const courierRow = z.object({
  id,
  name: z.string(),
  code: z.string(),
  pattern: z.string(),
  sample: z.string(),
  phone: open('A courier’s hotline', z.string()),
  account_no: z.string(),
  /** Whether a secret of the account is kept; it is never answered. */
  has_secret: z.boolean(),
  areas: z.array(z.string()),
  is_default: z.boolean(),
  sort: z.int(),
  status,
  /** Parcels of the last thirty days, and those of them that met with trouble. */
  used_30d: z.int(),
  failed_30d: z.int(),
  version,
})
export type CourierRow = z.output<typeof courierRow>

const code = keyText(24, 2)
  .overwrite(typed => typed.trim().toLowerCase())
  .regex(/^[a-z0-9_-]+$/, {
    message: joined([
      '请使用查询服务的编码：小写字母、数字、- 和 _',
      'The code of the tracking service: small letters, digits, - and _',
    ]),
  })
const fields = {
  name: text(32),
  pattern: text(128, 0).default(''),
  sample: text(TRACKING_MAX, 0).default(''),
  phone: phoneText(20, 0).default(''),
  areas: z.array(keyText(6, 6)).max(40).default([]),
}
const call = callsOf('config/courierCompany', { touches: ['courier'], rows: 'all' })

/** The couriers that are offered when goods are sent, and told by the form of a number. */
export const courierCompany = {
  /** By a tracking number as the keyword: the couriers in use that it may be of, likeliest first. */
  lst: call.lists('lst', ['快递公司', 'Courier companies'], {
    filters: { keyword: searched(64).optional(), status: status.optional() },
    row: courierRow,
    answer: { arranged: z.array(z.object({ id, name: z.string() })), list_version: z.int() },
    touches: ['courier', 'order'],
  }),
  create: call.creates('create', ['新增快递公司', 'Create a courier'], {
    fields: { ...fields, code },
  }),
  /** Its code stays: parcels and the tracking service know it by that. */
  edit: call.changes('edit', ['编辑快递公司', 'Edit a courier'], { fields }),
  sort: call.sorts('sort', ['调整快递顺序', 'Arrange couriers'], { fields: {} }),
  setDefault: call.changes('setDefault', ['设为默认快递', 'Make a courier the default']),
  /** Apart: a service that does not answer keeps nobody waiting for the database. */
  testTrack: call.write('testTrack', ['测试物流查询', 'Try the tracking'], {
    input: z.object({ id, tracking_no: text(60, 4) }),
    output: z.object({
      id,
      tracking_no: z.string(),
      ok: z.boolean(),
      /** Why nothing was told, where nothing was. */
      answer: z.string(),
      state: keysOf(parcelStates).nullable(),
      traces: z.array(z.object({ at: unix, text: z.string() })),
    }),
    quiet: true,
    apart: true,
  }),
  /** Without a secret the one that is kept stays. */
  bindAccount: call.changes('bindAccount', ['绑定电子面单账号', 'Bind a waybill account'], {
    fields: { account_no: text(32, 0), account_secret: text(64, 0).optional() },
  }),
  /**
   * Adds the standard couriers that are missing, disabled; `correct` also corrects names and phones
   * of those that are there. Forms of numbers stay as they are.
   */
  sync: call.write('sync', ['同步标准快递库', 'Bring in the standard couriers'], {
    input: z.object({ correct: z.boolean() }),
    output: z.object({ added: z.int(), renamed: z.int(), kept: z.array(z.string()) }),
    scope: 'all',
  }),
  enable: call.changes('enable', ['启用快递公司', 'Enable a courier']),
  disable: call.changes('disable', ['停用快递公司', 'Disable a courier'], { fields: { reason } }),
  del: call.deletes('del', ['删除快递公司', 'Delete a courier']),
}
