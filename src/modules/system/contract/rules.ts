import { z } from 'zod'
import {
  agreementStates,
  agreementTypes,
  type AgreementState,
  type AgreementType,
} from '#src/areas/merchant/agreement.ts'
import { read, write } from '#src/contract/call.ts'
import {
  id,
  lines,
  listOf,
  page,
  pasted,
  searched,
  unix,
  version,
  asksExport,
  exportBegun,
} from '#src/contract/shapes.ts'

const type = z.enum(Object.keys(agreementTypes) as [AgreementType, ...AgreementType[]])
const state = z.enum(Object.keys(agreementStates) as [AgreementState, ...AgreementState[]])
export const ruleRow = z.object({
  id,
  type,
  version_no: z.string(),
  state,
  summary: z.string(),
  force_consent: z.boolean(),
  effective_at: unix.nullable(),
  withdraw_reason: z.string().nullable(),
  editor: z.string(),
  updated_at: unix,
  version,
  consents: z.int(),
  /** How many members consented, in 1/10000; null where members are not asked. */ consent_bp: z
    .int()
    .nullable(),
  /** Only a draft has it, to be edited. */
  content: z.string().optional(),
})
export type RuleRow = z.output<typeof ruleRow>
const filters = { type: type.optional(), state: state.optional(), keyword: searched(40).optional() }
const fields = {
  content: pasted(65_535),
  summary: lines(255, 0).default(''),
  force_consent: z.boolean().default(false),
  effective_at: unix.nullable().default(null),
}
const one = { id, version }
const changed = z.object({ id, version })
const touches = ['agreement'] as const
const changedLines = z.array(z.object({ op: z.enum(['same', 'del', 'add']), text: z.string() }))

export const rules = {
  lst: read('system/rules/lst', ['协议与规则文本', 'Agreements and rules'], {
    input: z.object({ ...page, ...filters }),
    output: listOf(ruleRow),
    touches,
    scope: 'all',
    permit: 'system.rules.view',
  }),
  /** Versions of one type, to compare with; `but` is left out. */
  versions: read('system/rules/versions', ['可对比版本', 'Versions to compare'], {
    input: z.object({ type, but: id.optional(), keyword: searched(40).optional(), ...page }),
    output: listOf(z.object({ id, version_no: z.string(), state })),
    touches,
    scope: 'all',
    permit: 'system.rules.view',
  }),
  create: write('system/rules/create', ['新建协议版本', 'New version'], {
    input: z.object({ type, ...fields }),
    output: z.object({ id, version, version_no: z.string() }),
    touches,
    scope: 'all',
    permit: 'system.rules.create',
  }),
  edit: write('system/rules/edit', ['编辑协议草稿', 'Edit a draft'], {
    input: z.object({ ...one, ...fields }),
    output: changed,
    touches,
    scope: 'all',
    permit: 'system.rules.edit',
  }),
  /** Line by line from the other version to this one. */
  diff: read('system/rules/diff', ['对比版本', 'Compare versions'], {
    input: z.object({ id, other_id: id }),
    output: z.object({
      from: z.string(),
      to: z.string(),
      added: z.int(),
      removed: z.int(),
      lines: changedLines,
    }),
    touches,
    scope: 'all',
    permit: 'system.rules.diff',
  }),
  publish: write('system/rules/publish', ['发布协议版本', 'Publish a version'], {
    input: z.object({ ...one, reason: lines(255, 2) }),
    output: changed,
    touches,
    scope: 'all',
    permit: 'system.rules.publish',
  }),
  schedule: write('system/rules/schedule', ['定时生效', 'Schedule a version'], {
    input: z.object({ ...one, effective_at: unix }),
    output: changed,
    touches,
    scope: 'all',
    permit: 'system.rules.schedule',
  }),
  withdraw: write('system/rules/withdraw', ['撤回未生效版本', 'Withdraw a version'], {
    input: z.object({ ...one, reason: lines(255, 2) }),
    output: changed,
    touches,
    scope: 'all',
    permit: 'system.rules.withdraw',
  }),
  /** The text as consumers see it: sanitised HTML. */
  preview: read('system/rules/preview', ['手机预览', 'Phone preview'], {
    input: z.object({ id }),
    output: z.object({
      title: z.string(),
      version_no: z.string(),
      html: z.string(),
      summary: z.string(),
      force_consent: z.boolean(),
      effective_at: unix.nullable(),
    }),
    touches,
    scope: 'all',
    permit: 'system.rules.preview',
  }),
  /** The members who consented to the versions that match. */
  export: write('system/rules/export', ['导出同意记录', 'Export consents'], {
    input: z.object({ ...filters, ...asksExport() }),
    output: exportBegun,
    touches: ['export'],
    scope: 'all',
    permit: 'system.rules.export',
  }),
}
