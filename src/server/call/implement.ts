import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { IssueChannel } from '#src/areas/coupon/issue.channel.ts'
import type { SupplierChannel } from '#src/areas/ecard/supplier.channel.ts'
import type { TicketProviders } from '#src/areas/film/provider.channel.ts'
import type { LicenceChannel } from '#src/areas/merchant/licence.channel.ts'
import type { ContractPay } from '#src/areas/payment/contractPay.channel.ts'
import type { PayChannel } from '#src/areas/payment/pay.channel.ts'
import type { BankChannel } from '#src/areas/payout/bank.channel.ts'
import type { TransferChannel } from '#src/areas/payout/transfer.channel.ts'
import type { BillSource } from '#src/areas/reconcile/bills.channel.ts'
import type { KeyFile } from '#src/areas/secret/keyFile.server.ts'
import type { TrackChannel } from '#src/areas/shipping/track.channel.ts'
import type { ProfitSharing } from '#src/areas/split/sharing.channel.ts'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import type { Calls, Read, Write } from '#src/contract/call.ts'
import type { AttachedKind } from '#src/domain/attached.ts'
import type { MaskRule } from '#src/domain/mask.ts'
import type { Lang, Text } from '#src/domain/text.ts'

export type Db = NodePgDatabase
/**
 * What a person may see: a row counts when its city, or its mall, or its owner is listed. `within`
 * (scope.ts) makes the SQL condition of it.
 */
export type Scope = {
  cities: 'all' | readonly number[]
  malls: 'all' | readonly number[]
  owners: readonly number[]
}
export type FieldMode = 'show' | 'mask' | 'hide'
/** The signed-in person, as every handler knows them. */
export type Staff = {
  id: number
  name: string
  account: string
  lang: Lang
  can: (permit: string) => boolean
  scope: Scope
  /** The most that this person may approve alone, in cents. */
  refund_limit_cents: number
  /**
   * Rule of a guarded field: the most generous of the person's roles, else the field's default,
   * else `show`.
   */
  field: (key: string) => FieldMode
  /** The guarded fields there are, and how each is masked. */
  masks: Readonly<Record<string, MaskRule>>
}
/** One line of the operation log: what was changed, in the row's own columns. */
export type LogEntry = {
  /** Empty for a refused row of a batch: its call says what its rows are. */
  object_type: string
  object_id: number
  object_label: string
  before?: object | null
  after?: object | null
  reason?: string
  result?: 'ok' | 'refused' | 'failed'
  error?: string
  /** The row of the log whose change this takes back. */ reverts_id?: number
  /** Another word for what was done than the call’s own: `reveal`. */ action?: string
}

/** Where the request came from. `token` is absent on public calls. */
export type Caller = {
  ip: string
  ua: string
  region: string
  lang: Lang
  token?: string
  session_id?: number
}
/** What the installation is, as handlers may know it. */
export type Install = {
  /** Named on the sign-in page; null outside demo mode. */
  demo: { password: string; accounts: readonly { account: string; title: Text }[] } | null
  /** Seconds: without a call, and in all. */
  limits: { idle_s: number; absolute_s: number }
  /** HMAC-SHA256 of a text with the installation's own key, for short-lived links. */
  sign: (text: string) => string
  /** The map service's key; null without one. */
  map: { key: string; security_code: string } | null
  /** The mini-program's key; null without one. `api` is WeChat's address. */
  wechat: { appid: string; secret: string; api: string } | null
  /** How money comes in and goes back. Never asked inside a transaction. */
  pay: PayChannel
  /** How money is deducted on a contract. Never asked inside a transaction. */
  contracts: ContractPay
  /** How money is sent to somebody's own account. Never asked inside a transaction. */
  transfer: TransferChannel
  /** How money is sent to an account at a bank. Never asked inside a transaction. */
  bank: BankChannel
  /** How an order's money is shared where it lies. Never asked inside a transaction. */
  sharing: ProfitSharing
  /** Where the bills of a day are fetched from. Never asked inside a transaction. */
  bills: BillSource
  /** Where the traces of parcels are asked for. Never asked inside a transaction. */
  track: TrackChannel
  /** Where pictures of licences are read. Never asked inside a transaction. */
  licence: LicenceChannel
  /** Where e-cards are issued. Never asked inside a transaction. */
  issue: IssueChannel
  /** Whose codes are sold as e-cards. Never asked inside a transaction. */
  supplier: SupplierChannel
  /** Providers of film tickets. Never asked inside a transaction. */
  tickets: TicketProviders
  /** Customer contact in WeCom. Never asked inside a transaction. */
  wecom: WecomClient
  /** The keys that codes are hidden and found under; they lie outside the database. */
  codeKeys: KeyFile
  /**
   * Where notices go out: in the place of WeCom's host, and the gateways of mail and SMS. Null:
   * WeCom itself, and no such channel; 'embedded': the demo's, which takes everything and sends
   * nothing.
   */
  gateways: { robot: string | null; mail: string | null; sms: string | null }
  /** Pictures lie in a store elsewhere, which tells this server nothing of them. */
  storesElsewhere: boolean
  /** What a browser needs to upload a file, as long as the session goes on. */
  uploadToken: (
    of: { staff_id: number; session_id: number; of: 'picture' | AttachedKind },
    now: number,
  ) => { token: string; domain: string; upload_url: string }
  /**
   * The address under which customers reach this server, without a slash at its end; null where it
   * is not said: then links in messages are not counted.
   */
  origin: string | null | undefined
  /** The bytes of a stored picture. */
  picture: (file_key: string) => Promise<Buffer>
}
/** On a `public` call `staff` is `nobody` (id 0, may do nothing). */
type Common = { staff: Staff; now: number; request_id: string; caller: Caller; install: Install }
export type ReadContext = Common & { db: Db }
export type WriteContext = Common & {
  /** The call's transaction. The outer database can't be reached inside it. */
  tx: Db
  /** What the handler kept before the transaction (`withAhead`). */
  ahead?: unknown
  /** Adds a line to the operation log, in the same transaction. A batch adds one a row. */
  log: (entry: LogEntry) => void
  /** Tells open panes that more than the call's own `touches` changed. */
  changed: (...tags: string[]) => void
  /** Sessions that this call ended: their streams close after the commit. */
  ended: (sessions: readonly number[]) => void
  /** Runs after the commit; nothing that must not be lost. */
  afterCommit: (run: () => void | Promise<void>) => void
}
export type Handler<C> =
  C extends Read<any, infer P, infer R>
    ? (input: P, context: ReadContext) => Promise<R>
    : C extends Write<any, infer P, infer R>
      ? (input: P, context: WriteContext) => Promise<R>
      : never
export type Implementation<C extends Calls = Calls> = {
  calls: C
  handlers: { [K in keyof C]: Handler<C[K]> }
}

/**
 * Joins calls with their handlers; a missing or wrong one does not compile. Everything around a
 * handler is the pipeline's (`pipeline.ts`).
 */
export const implement = <C extends Calls>(
  calls: C,
  handlers: { [K in keyof C]: Handler<C[K]> },
): Implementation<C> => ({ calls, handlers })
