import { z } from 'zod'
import {
  BATCH_MAX,
  BATCH_TIME_UNDO_SECONDS,
  REASON_MAX,
  UNDO_SECONDS,
  auditStates,
  rejectCodes,
  submitTypes,
  type AuditQueue,
  type AuditState,
  type RejectCode,
  type SubmitType,
} from '#src/areas/audit/audit.ts'
import { placed, read, write, type Write } from '#src/contract/call.ts'
import { shownBody } from '#src/contract/product.ts'
import {
  basisPoints,
  batchResult,
  type BatchResult,
  cents,
  flag,
  guarded,
  id,
  keysOf,
  keyText,
  lines,
  listOf,
  open,
  page,
  searched,
  text,
  unix,
  version,
  asksExport,
  exportBegun,
} from '#src/contract/shapes.ts'

const state = keysOf<AuditState>(auditStates)
const submitType = keysOf<SubmitType>(submitTypes)
const rejectCode = keysOf<RejectCode>(rejectCodes)

/**
 * What a rule of the trade says of a submission: `block` forbids approval, `second` needs a second
 * person, `flag` keeps it out of batches, `warn` only tells.
 */
const finding = z.object({
  rule: z.string(),
  level: z.enum(['block', 'second', 'flag', 'warn']),
  /** The body's field it speaks of. */
  field: z.string().optional(),
  /** Values for the rule's sentence (`auditRules` in the domain). */
  values: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
})

/** A row of a queue. */
export const auditItem = z.object({
  id,
  queue: z.enum(['bulks', 'card', 'voucher', 'product']),
  product_id: id,
  product_kind: z.enum(['bulks', 'card', 'voucher', 'goods', 'elist']),
  product_version: z.int(),
  submit_type: submitType,
  title: z.string(),
  image: z.string().optional(),
  merchant_id: id,
  merchant_name: z.string(),
  store_name: z.string(),
  store_count: z.int(),
  city_id: id,
  city_name: z.string(),
  mid: z.int(),
  mall_name: z.string(),
  category_name: z.string(),
  brand_name: z.string().optional(),
  price_cents: cents,
  list_price_cents: cents,
  settle_price_cents: guarded('product.settle_price_cents', cents),
  commission_bp: guarded('product.commission_bp', basisPoints),
  stock: z.int(),
  sale_start_at: unix,
  sale_end_at: unix,
  check_start_at: unix,
  check_end_at: unix,
  times_total: z.int().optional(),
  valid_days: z.int().optional(),
  face_cents: cents.optional(),
  min_spend_cents: cents.optional(),
  per_bill_limit: z.int().optional(),
  sku_count: z.int().optional(),
  price_max_cents: cents.optional(),
  /** Names of the body's fields that differ from the live version. */
  changed: z.array(z.string()),
  flags: z.array(z.string()),
  round: z.int(),
  priority: z.int(),
  state,
  submitted_at: unix,
  submitted_by: z.int().nullable(),
  sla_at: unix,
  claimed_by: z.int().nullable(),
  claimer_name: z.string().nullable(),
  claim_until: unix.nullable(),
  first_by: z.int().nullable(),
  decided_by: z.int().nullable(),
  decider_name: z.string().nullable(),
  decided_at: unix.nullable(),
  reason_code: z.string().nullable(),
  more_codes: z.array(z.string()),
  reason: z.string().nullable(),
  /** The task's optimistic lock: a decision carries the version read. */
  version,
})
export type AuditItem = z.output<typeof auditItem>

export const auditDetail = z.object({
  task: auditItem,
  body: shownBody,
  /** The version on sale, when there is one. */
  live: shownBody.nullable(),
  findings: z.array(finding),
  names: z.object({
    categories: z.record(z.string(), z.string()),
    brands: z.record(z.string(), z.string()),
    stores: z.record(z.string(), z.string()),
    freights: z.record(z.string(), z.string()),
    addresses: z.record(z.string(), z.string()),
  }),
  merchant: z.object({
    id,
    name: z.string(),
    status: z.string(),
    license_no: guarded('merchant.license_no', z.string()),
    license_expire_at: unix.nullable(),
    contact_phone: guarded('merchant.contact_phone', z.string()),
    qualifications: z.array(
      z.object({
        name: z.string(),
        no: guarded('merchant.license_no', z.string()),
        expire_at: unix.nullable(),
      }),
    ),
    approved_90d: z.int(),
    rejected_90d: z.int(),
  }),
  stores: z.array(
    z.object({ id, name: z.string(), status: z.string(), address: open('A shop’s', z.string()) }),
  ),
  /** Earlier versions' prices, oldest first. */
  prices: z.array(z.object({ no: z.int(), at: unix, price_cents: cents, list_price_cents: cents })),
  /** Earlier rounds and decisions of this submission and of this merchant, newest first. */
  rounds: z.array(
    z.object({
      task_id: id,
      title: z.string(),
      own: z.boolean(),
      round: z.int(),
      state,
      reason_code: z.string().nullable(),
      reason: z.string().nullable(),
      by: z.string().nullable(),
      at: unix,
    }),
  ),
  /** Live offers of the same stores (vouchers: same-store faces and recent redemption). */
  siblings: z.array(
    z.object({
      product_id: id,
      title: z.string(),
      price_cents: cents,
      face_cents: cents.optional(),
      sold: z.int(),
    }),
  ),
  redeemed_30d: z.object({ count: z.int(), cents: cents }),
  sold: z.object({ paid: z.int(), unused_codes: z.int(), latest_valid_until: unix.nullable() }),
  field_marks: z.record(z.string(), z.string()),
  /** Colleagues who look at it now. */
  viewers: z.array(z.object({ id, name: z.string() })),
})
export type AuditDetail = z.output<typeof auditDetail>

/** A task and the version of it that was read. */
const one = { id, version }
const many = z.array(z.object(one)).min(1).max(BATCH_MAX)
/** `reason` may name the submission's own words in braces (domain: `filledReason`). */
const why = {
  reason_code: rejectCode,
  more_codes: z.array(rejectCode).max(8).optional(),
  reason: lines(REASON_MAX, 2),
}
/** A page that marks fields takes the marks for words. */
const reasonAt = (q: AuditQueue) =>
  q === 'product' ? lines(REASON_MAX, 0).default('') : why.reason
const decided = z.object({ id, state, version, undo_until: unix })

const filters = {
  /** A tab: the state, with `mine` for what I hold; absent means all that waits for a decision. */
  state: z
    .enum([
      'open',
      'mine',
      'pending',
      'claimed',
      'need_more',
      'second_audit',
      'approved',
      'rejected',
      'withdrawn',
    ])
    .default('open'),
  keyword: searched(60).optional(),
  city_id: id.optional(),
  mid: z.int().min(0).optional(),
  submit_type: submitType.optional(),
  kind: z.enum(['goods', 'elist']).optional(),
  flagged: z.boolean().optional(),
  over_sla: z.boolean().optional(),
  decided_by: id.optional(),
  submitted_from: unix.optional(),
  submitted_to: unix.optional(),
}
/** What a queue's list, its counts and the next claim are asked, and what they answer. */
export const listInput = z.object({
  ...page,
  ...filters,
  sort: z.enum(['sla', 'newest', 'price']).default('sla'),
})
export const countsInput = z.object({ ...filters }).omit({ state: true })
export const claimNextInput = z
  .object({ n: z.int().min(1).max(5).default(1), ...filters })
  .omit({ state: true })
export const countsOutput = z.record(z.string(), z.int())
export const claimNextOutput = z.object({ tasks: z.array(auditItem) })
const touches = ['audit'] as const
const decides = ['audit', 'product'] as const

/** A decision is taken back by its queue's `undo`; of a batch, all that was decided. */
const takenBack = (undo: Write) => {
  const back = { call: () => undo, seconds: UNDO_SECONDS }
  return {
    one: { ...back, input: (done: { id: number }) => ({ ids: [done.id] }) },
    many: {
      ...back,
      input: (done: BatchResult) => (done.ok.length > 0 ? { ids: done.ok } : undefined),
    },
  }
}
const undoOf = (q: AuditQueue, zh: string, en: string) =>
  write(`audit/${q}/undo`, [`撤销${zh}决定`, `Undo ${en}`], {
    input: z.object({ ids: z.array(id).min(1).max(BATCH_MAX) }),
    output: batchResult,
    touches: decides,
    scope: placed('audit_task', 'ids'),
    permit: `audit.${q}.view`,
  })

/** The calls of one queue: the same verbs on four pages, each with its own permission. */
const queue = (q: AuditQueue, zh: string, en: string) => {
  const undo = undoOf(q, zh, en)
  const back = takenBack(undo)
  return {
    lst: read(`audit/${q}/lst`, [`${zh}列表`, `${en} queue`], {
      input: listInput,
      output: listOf(auditItem),
      touches,
      scope: placed('audit_task'),
      permit: `audit.${q}.view`,
    }),
    /** How many rows each tab has, within the other filters. */
    counts: read(`audit/${q}/counts`, [`${zh}计数`, `${en} counts`], {
      input: countsInput,
      output: countsOutput,
      touches,
      scope: placed('audit_task'),
      permit: `audit.${q}.view`,
    }),
    detail: read(`audit/${q}/detail`, [`${zh}详情`, `${en} detail`], {
      input: z.object({ id }),
      output: auditDetail,
      touches: decides,
      scope: placed('audit_task', 'id'),
      permit: `audit.${q}.view`,
    }),
    /** What I have done today in this queue: for the empty state. */
    today: read(`audit/${q}/today`, [`${zh}今日`, `${en} today`], {
      input: z.object({}),
      output: z.object({
        approved: z.int(),
        rejected: z.int(),
        asked: z.int(),
        seconds_each: z.int().nullable(),
      }),
      touches,
      scope: 'own',
      permit: `audit.${q}.view`,
    }),
    /**
     * The reject codes as digits name them: by how often the team used them here in the last 30 days;
     * they change at midnight only.
     */
    reasons: read(`audit/${q}/reasons`, [`${zh}常用驳回原因`, `${en} reasons`], {
      input: z.object({}),
      output: z.object({ codes: z.array(rejectCode) }),
      touches: [],
      scope: 'all',
      permit: `audit.${q}.view`,
    }),
    claim: write(`audit/${q}/claim`, [`领取${zh}`, `Claim ${en}`], {
      input: z.object({ id }),
      output: z.object({ id, claim_until: unix, version }),
      touches,
      scope: placed('audit_task', 'id'),
      permit: `audit.${q}.claim`,
    }),
    /**
     * Up to `n` most urgent free tasks, claimed for me; those in `hold` are mine already and are not
     * counted.
     */
    claimNext: write(`audit/${q}/claimNext`, [`领取下一条${zh}`, `Claim next ${en}`], {
      input: claimNextInput,
      output: claimNextOutput,
      touches,
      scope: placed('audit_task'),
      permit: `audit.${q}.claimNext`,
    }),
    unclaim: write(`audit/${q}/unclaim`, [`退回${zh}`, `Return ${en}`], {
      input: z.object({ ids: z.array(id).min(1).max(BATCH_MAX) }),
      output: batchResult,
      touches,
      scope: placed('audit_task', 'ids'),
      permit: `audit.${q}.unclaim`,
    }),
    /**
     * Keeps my claim and shows me as a viewer; answers who else looks and whether the claim still
     * holds. Not logged.
     */
    beat: write(`audit/${q}/beat`, [`${zh}心跳`, `${en} heartbeat`], {
      input: z.object({ id }),
      output: z.object({
        claim_until: unix.nullable(),
        viewers: z.array(z.object({ id, name: z.string() })),
        version,
      }),
      touches: [],
      scope: placed('audit_task', 'id'),
      permit: `audit.${q}.view`,
      quiet: true,
    }),
    approve: write(`audit/${q}/approve`, [`通过${zh}`, `Approve ${en}`], {
      input: z.object(one),
      output: decided,
      touches: decides,
      scope: placed('audit_task', 'id'),
      permit: `audit.${q}.approve`,
      undo: back.one,
    }),
    reject: write(`audit/${q}/reject`, [`驳回${zh}`, `Reject ${en}`], {
      input: z.object({
        ...one,
        ...why,
        /** In words, or by marks at the fields where the page has them. */
        reason: reasonAt(q),
        field_marks: z.record(keyText(40), lines(200)).optional(),
      }),
      output: decided,
      touches: decides,
      scope: placed('audit_task', 'id'),
      permit: `audit.${q}.reject`,
      undo: back.one,
    }),
    batchApprove: write(`audit/${q}/batchApprove`, [`批量通过${zh}`, `Approve ${en} in bulk`], {
      input: z.object({ tasks: many }),
      output: batchResult,
      touches: decides,
      scope: placed('audit_task', { 'tasks.id': 'audit_task' }),
      permit: `audit.${q}.batchApprove`,
      undo: back.many,
    }),
    batchReject: write(`audit/${q}/batchReject`, [`批量驳回${zh}`, `Reject ${en} in bulk`], {
      input: z.object({ tasks: many, ...why, reason: reasonAt(q) }),
      output: batchResult,
      touches: decides,
      scope: placed('audit_task', { 'tasks.id': 'audit_task' }),
      permit: `audit.${q}.batchReject`,
      undo: back.many,
    }),
    transfer: write(`audit/${q}/transfer`, [`转交${zh}`, `Transfer ${en}`], {
      input: z.object({ ...one, admin_id: id, reason: lines(500, 2) }),
      output: z.object({ id, version, claim_until: unix }),
      touches,
      scope: placed('audit_task', 'id'),
      permit: `audit.${q}.transfer`,
    }),
    /** Takes my own last decisions back, while nothing was built on them. */
    undo,
    /** Queues an export of all that match; answers the job. */
    export: write(`audit/${q}/export`, [`导出${zh}记录`, `Export ${en}`], {
      input: z.object({ ...filters, ...asksExport() }),
      output: exportBegun,
      touches: ['export'],
      scope: placed('audit_task'),
      permit: `audit.${q}.export`,
    }),
  }
}

const askMore = (q: AuditQueue, permit: string) =>
  write(`audit/${q}/askMore`, ['要求补充资料', 'Ask for more'], {
    input: z.object({ ...one, reason: lines(500, 2) }),
    output: z.object({ id, state, version }),
    touches,
    scope: placed('audit_task', 'id'),
    permit,
  })
const edits = {
  ...one,
  fields: z.object({
    title: text(120).optional(),
    category_id: id.optional(),
    tags: z.array(text(16)).max(10).optional(),
    images: z.array(keyText(255)).max(20).optional(),
  }),
  reason: lines(500, 2),
}

const bulksQueue = queue('bulks', '团购审核', 'group-buy audit')
export const bulks = {
  ...bulksQueue,
  askMore: askMore('bulks', 'audit.bulks.askMore'),
  approveWithEdit: write(
    'audit/bulks/approveWithEdit',
    ['修改后通过团购', 'Approve group-buy with edits'],
    {
      input: z.object(edits),
      output: decided,
      touches: decides,
      scope: placed('audit_task', 'id'),
      permit: 'audit.bulks.approveWithEdit',
      undo: takenBack(bulksQueue.undo).one,
    },
  ),
}
export const card = {
  ...queue('card', '卡券审核', 'card audit'),
  askMore: askMore('card', 'audit.card.askMore'),
}
export const voucher = {
  ...queue('voucher', '代金券审核', 'voucher audit'),
  askMore: askMore('voucher', 'audit.voucher.askMore'),
}
const productQueue = queue('product', '商品审核', 'product audit')
export const product = {
  ...productQueue,
  askMore: askMore('product', 'audit.product.detail.askMore'),
  approveWithEdit: write(
    'audit/product/approveWithEdit',
    ['修改后通过商品', 'Approve product with edits'],
    {
      input: z.object(edits),
      output: decided,
      touches: decides,
      scope: placed('audit_task', 'id'),
      permit: 'audit.product.detail.approveWithEdit',
      undo: takenBack(productQueue.undo).one,
    },
  ),
  markField: write('audit/product/markField', ['标注问题字段', 'Mark a field'], {
    input: z.object({ ...one, field: keyText(40, 1), comment: lines(200, 0) }),
    output: z.object({ id, version, field_marks: z.record(z.string(), z.string()) }),
    touches,
    scope: placed('audit_task', 'id'),
    permit: 'audit.product.detail.markField',
  }),
  recheckImage: write('audit/product/recheckImage', ['重新机审图片', 'Check the pictures again'], {
    input: z.object(one),
    output: z.object({ id, version, flags: z.array(z.string()) }),
    touches,
    scope: placed('audit_task', 'id'),
    permit: 'audit.product.detail.recheckImage',
  }),
  offShelf: write('audit/product/offShelf', ['下架线上版本', 'Take the live version off sale'], {
    input: z.object({ id, reason: lines(500, 2) }),
    output: z.object({ id, product_state: z.string() }),
    touches: decides,
    scope: placed('audit_task', 'id'),
    permit: 'audit.product.detail.offShelf',
  }),
}

const spans = { sale_start_at: unix, sale_end_at: unix, check_start_at: unix, check_end_at: unix }
const span = z.object(spans)
const timeRow = z.object({
  product_id: id,
  title: z.string(),
  version,
  before: span,
  after: span,
  ok: z.boolean(),
  fail_reason: z.string().optional(),
  rule: z.string().optional(),
})
/** `undone` and `skipped` where a batch was taken back. */
const batchTimeResult = z.object({
  batch_no: z.string(),
  dry_run: z.boolean(),
  ok_count: z.int(),
  fail_count: z.int(),
  rows: z.array(timeRow),
  undone: z.int().optional(),
  skipped: z.array(z.object({ product_id: id, reason: z.string(), rule: z.string() })).optional(),
})

/** The group-buy batch time change of the specification, section 7. */
export const tuan = {
  batchUpdateStartAndCheckTime: write(
    'tuan/batchUpdateStartAndCheckTime',
    ['批量改开售与核销时间', 'Change sale and redeem times'],
    {
      input: z.object({
        /** Products; `ids` is another name for it, `start_at` another for sale_start_at. */
        product_ids: z.array(id).min(1).max(500).optional(),
        ids: z.array(id).min(1).max(500).optional(),
        mode: z.enum(['set', 'shift']).default('set'),
        shift_days: z.int().min(-365).max(365).optional(),
        sale_start_at: unix.optional(),
        start_at: unix.optional(),
        sale_end_at: unix.optional(),
        check_start_at: unix.optional(),
        check_end_at: unix.optional(),
        /**
         * Takes a whole batch back within 24 hours, where nothing changed since; the other fields
         * are then not read.
         */
        undo_batch_no: text(24).optional(),
        reason: lines(200, 2),
        dry_run: flag.default(false),
        expect: z
          .array(z.object({ product_id: id, version }))
          .max(500)
          .optional(),
      }),
      output: batchTimeResult,
      touches: ['product', 'audit', 'time_log'],
      scope: placed('product'),
      permit: 'audit.bulks.batchUpdateStartAndCheckTime',
      undo: {
        call: (): Write => tuan.batchUpdateStartAndCheckTime,
        input: done =>
          done.dry_run || done.ok_count === 0 || done.undone !== undefined
            ? undefined
            : { undo_batch_no: done.batch_no, reason: '撤销' },
        seconds: BATCH_TIME_UNDO_SECONDS,
      },
    },
  ),
  timeLogs: read(
    'tuan/getBatchUpdateTuanProductTimeLogLst',
    ['批量改时间记录', 'Batch time changes'],
    {
      input: z.object({
        ...page,
        id: id.optional(),
        batch_no: searched(24).optional(),
        product_id: id.optional(),
        operator_id: id.optional(),
        status: z.enum(['done', 'partial', 'undone']).optional(),
        start_at: unix.optional(),
        end_at: unix.optional(),
      }),
      output: listOf(
        z.object({
          id,
          batch_no: z.string(),
          operator_id: id,
          operator_name: z.string(),
          reason: z.string(),
          /** What was chosen, in words. */ filter_text: z.string(),
          product_count: z.int(),
          ok_count: z.int(),
          fail_count: z.int(),
          status: z.string(),
          created_at: unix,
          undo_until_at: unix.nullable(),
          changes: z.object({
            mode: z.string(),
            shift_days: z.int().optional(),
            ...span.partial().shape,
          }),
          items: z
            .array(
              z.object({
                product_id: id,
                title: z.string(),
                before: span,
                after: span,
                ok: z.boolean(),
                fail_reason: z.string().optional(),
              }),
            )
            .optional(),
        }),
      ),
      touches: ['time_log'],
      scope: placed('product'),
      permit: 'audit.bulks.timeLogs',
    },
  ),
}

/** Colleagues who may take a task over; `keyword` is matched in name, account and pinyin. */
export const auditors = read('audit/auditors', ['可转交的审核员', 'Auditors'], {
  input: z.object({ ...page, keyword: searched(32).optional() }),
  output: listOf(z.object({ id, name: z.string(), account: z.string() })),
  touches: ['admin'],
  scope: 'all',
  permit: 'signed-in',
})
export const categories = read('audit/categories', ['经营分类', 'Categories'], {
  input: z.object({ ...page, keyword: searched(32).optional() }),
  output: listOf(z.object({ id, name: z.string() })),
  touches: ['category'],
  scope: 'all',
  permit: 'signed-in',
})
export const queues = { bulks, card, voucher, product } as const

const verdict = z.enum(['approved', 'rejected'])
const rate = z.int().min(0).max(10_000)
const rates = z.object({ bulks: rate, card: rate, voucher: rate, product: rate })
/** The rates of second looks, as they were read. */
export const lookRates = z.object({ rates, version })
/** 抽检: a decided submission, shown to a second person as it was before it was decided. */
export const lookItem = z.object({
  id,
  title: z.string(),
  queue: z.enum(['bulks', 'card', 'voucher', 'product']),
})
export const look = {
  /** The next one of the queues I may decide in, the one I have open first. */
  take: write('audit/look/take', ['领取抽检', 'Take a second look'], {
    input: z.object({}),
    output: z.object({ look: lookItem.nullable(), detail: auditDetail.nullable(), left: z.int() }),
    touches: [],
    scope: placed('audit_task'),
    permit: 'audit.look.view',
    quiet: true,
  }),
  approve: write('audit/look/approve', ['抽检：应通过', 'Second look: approve'], {
    input: z.object({ id, note: lines(200, 0).optional() }),
    output: z.object({ id }),
    touches: ['look'],
    scope: placed('audit_look', 'id'),
    permit: 'audit.look.approve',
  }),
  reject: write('audit/look/reject', ['抽检：应驳回', 'Second look: reject'], {
    input: z.object({ id, codes: z.array(rejectCode).min(1).max(9), note: lines(REASON_MAX, 2) }),
    output: z.object({ id }),
    touches: ['look'],
    scope: placed('audit_look', 'id'),
    permit: 'audit.look.reject',
  }),
  figures: read('audit/look/figures', ['抽检结果', 'Second-look figures'], {
    input: z.object({
      queue: z.enum(['bulks', 'card', 'voucher', 'product']).optional(),
      days: z.int().min(1).max(90).default(30),
    }),
    output: z.object({
      list: z.array(
        z.object({
          admin_id: id,
          name: z.string(),
          decided: z.int(),
          /** Median from claim to decision. */ seconds: z.int().nullable(),
          drawn: z.int(),
          looked: z.int(),
          differ: z.int(),
          differ_bp: basisPoints.nullable(),
        }),
      ),
      differing: z.array(
        z.object({
          id,
          task_id: id,
          queue: z.enum(['bulks', 'card', 'voucher', 'product']),
          title: z.string(),
          first_name: z.string(),
          first_verdict: verdict,
          first_codes: z.array(z.string()),
          second_name: z.string(),
          second_verdict: verdict,
          second_codes: z.array(z.string()),
          note: z.string().nullable(),
          at: unix,
        }),
      ),
      rates,
      version,
    }),
    touches: ['look', 'audit'],
    scope: placed('audit_task'),
    permit: 'audit.look.figures.view',
  }),
  setRates: write('audit/look/setRates', ['设置抽检比例', 'Set the rates of second looks'], {
    input: lookRates,
    output: lookRates,
    touches: ['look'],
    scope: 'all',
    permit: 'audit.look.figures.setRates',
  }),
}
