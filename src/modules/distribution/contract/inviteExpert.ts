import { z } from 'zod'
import { PHONES_MOST } from '#src/areas/distribution/invite.ts'
import {
  inviteStates,
  smsStates,
  type InviteState,
  type SmsState,
} from '#src/areas/distribution/sellers.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  basisPoints,
  guarded,
  id,
  keysOf,
  mobile,
  pasted,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { level } from './index.ts'

const status = keysOf<InviteState>(inviteStates)
export const inviteRow = z.object({
  id,
  version,
  code: z.string(),
  name: z.string(),
  phone: guarded('distributor.phone', z.string().nullable()),
  has_phone: z.boolean(),
  level_no: z.int(),
  group_name: z.string(),
  city_name: z.string(),
  plus_bp: guarded('product.commission_bp', basisPoints),
  sms_state: keysOf<SmsState>(smsStates),
  sms_answer: z.string(),
  sms_count: z.int(),
  sms_at: unix.nullable(),
  opened_at: unix.nullable(),
  /** Whoever applied with it, and when that was approved. */
  used_by: id.nullable(),
  used_name: z.string(),
  applied_at: unix.nullable(),
  passed_at: unix.nullable(),
  expire_at: unix,
  reason: z.string(),
  maker_name: z.string(),
  status,
  created_at: unix,
})
export type InviteRow = z.output<typeof inviteRow>
const filters = {
  keyword: searched(40).optional(),
  status: status.optional(),
  city_id: id.optional(),
}
const terms = {
  level_no: level,
  group_id: id.optional(),
  city_id: id,
  plus_bp: basisPoints.default(0),
  expire_at: unix,
}
const rows = 'dist_invite'
const call = callsOf('distribution/index/inviteExpert', { touches: [rows], rows })
const scope = placed(rows, { city_id: 'city', group_id: 'dist_group' })

/** Invitations to become an expert: by a link, to one phone or to many. */
export const inviting = {
  lst: call.read('lst', ['邀请记录', 'Invitations'], {
    input: z.object({
      page: z.int().min(1).max(100_000).default(1),
      pageSize: z.int().min(1).max(200).default(50),
      ...filters,
    }),
    output: z.object({
      list: z.array(inviteRow),
      total: z.int(),
      capped: z.boolean().optional(),
      stat: z.record(z.string(), z.int()),
    }),
    touches: [rows, 'distributor'],
    finds: { keyword: { phone: ['distributor.phone'] } },
    permit: 'distribution.index.inviteExpert.view',
  }),
  /** Without a phone the link is anybody's who has it, once. */
  create: call.creates('create', ['新增邀请', 'Invite an expert'], {
    fields: { name: text(20, 0).default(''), phone: mobile.optional(), ...terms },
    answer: { code: z.string() },
    scope,
  }),
  /** Each phone once; those that are left out say why. */
  batchCreate: call.write('batchCreate', ['批量邀请', 'Invite several'], {
    input: z.object({ phones: pasted(PHONES_MOST * 32), ...terms }),
    output: z.object({
      created: z.int(),
      skipped: z.array(z.object({ text: z.string(), why: z.string() })),
    }),
    scope,
  }),
  resend: call.changes('resend', ['重新发送短信', 'Resend a message']),
  stop: call.changes('stop', ['停用邀请', 'Stop an invitation'], { fields: { reason } }),
  export: call.startsExport('export', ['导出邀请记录', 'Export invitations'], { filters }),
}
