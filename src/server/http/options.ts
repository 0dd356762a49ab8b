import type { Logger } from 'pino'
import type { IssueChannel } from '#src/areas/coupon/issue.channel.ts'
import type { SupplierChannel } from '#src/areas/ecard/supplier.channel.ts'
import type { TicketProviders } from '#src/areas/film/provider.channel.ts'
import type { OnPayNotice } from '#src/areas/payment/payNotify.server.ts'
import type { WechatPayKeys } from '#src/areas/payment/wechatClient.channel.ts'
import type { WecomSetup } from '#src/areas/wecom/port.server.ts'
import type { Implementation, Install } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import type { SessionLimits } from '#src/server/sessions/sessions.ts'
import type { ConnectionLimits } from './connections.ts'
import type { ImageStore } from './upload.ts'

/** What an installation decides of its server; what is left out is that of a laptop. */
export type AppOptions = {
  database: Database
  /**
   * Address of the PostgreSQL, so that other processes' changes are heard. Absent in the embedded
   * mode.
   */
  databaseUrl?: string | undefined
  modules: readonly Implementation<any>[]
  /** Folder of uploads and exports. */
  folder: string
  /** The file of code keys, which several processes on one database share; in the folder unless said. */
  codeKeys?: string | undefined
  /** The built console, if this process serves it. */
  console?: string | undefined
  /** Demo accounts, shown on the sign-in page. */
  demo?: Install['demo']
  log?: Logger | undefined
  limits?: Partial<SessionLimits> | undefined
  /** Qiniu or another store that speaks its form upload; the local one otherwise. */
  images?: ImageStore | undefined
  map?: Install['map'] | undefined
  /** Where customers reach this server; links in messages are counted by it. */
  origin?: string | null | undefined
  gateways?: { robot: string | null; mail: string | null; sms: string | null } | undefined
  /**
   * Keys of WeChat Pay; `embedded`, the book of trials, unless said; `none` where nothing is set up
   * and nothing may be pretended.
   */
  pay?: WechatPayKeys | 'embedded' | 'none' | undefined
  /** Hears what a payment channel tells by itself, in the place of the orders (tests). */
  onPayNotice?: OnPayNotice | undefined
  /**
   * Address of a bank that pays to accounts; `embedded`, the book of trials, unless said; `none`
   * where nothing is set up.
   */
  bank?: URL | 'embedded' | 'none' | undefined
  /**
   * Address of a tracking service; `embedded`, which makes traces up, unless said; `none` where
   * nothing is set up.
   */
  track?: URL | 'embedded' | 'none' | undefined
  /** Address of a service that reads licences; `embedded`, this server's own, unless said; or `none`. */
  licence?: URL | 'embedded' | 'none' | undefined
  /** Where e-cards are issued; `embedded`, which makes them up, unless said. */
  issue?: IssueChannel | 'embedded' | 'none' | undefined
  /** Whose codes are sold as e-cards; `embedded`, which makes them up, unless said. */
  supplier?: SupplierChannel | 'embedded' | 'none' | undefined
  /** Providers of film tickets; the embedded ones make them up. */
  tickets?: TicketProviders | 'embedded' | 'none' | undefined
  wechat?: { appid: string; secret: string; api?: string } | null | undefined
  /** WeCom of one's own; `embedded`, a server that stands in for it, unless said; or `none`. */
  wecom?: WecomSetup | 'embedded' | 'none' | undefined
  trustProxy?: readonly string[] | undefined
  /** Opens `/metrics` and `/api/docs`; without one they are closed, or ask for a session. */
  operatorToken?: string | undefined
  /** Times and numbers of connections, where a test can't wait for the usual ones. */
  connections?: Partial<ConnectionLimits>
  /** Calls a minute from one address to what is open to everybody. */
  publicRate?: number
}
