import { embeddedIssue, noIssue } from '#src/areas/coupon/issue.channel.ts'
import { embeddedSupplier, noSupplier } from '#src/areas/ecard/supplier.channel.ts'
import { embeddedProviders, noProviders } from '#src/areas/film/provider.channel.ts'
import { embeddedLicence, httpLicence, noLicence } from '#src/areas/merchant/licence.channel.ts'
import { embeddedContracts, noContracts } from '#src/areas/payment/embeddedContract.channel.ts'
import { embeddedPay, noPay } from '#src/areas/payment/embeddedPay.channel.ts'
import { wechatPay } from '#src/areas/payment/wechatPay.channel.ts'
import { httpBank, noBank } from '#src/areas/payout/bank.channel.ts'
import { embeddedTransfer, noTransfer } from '#src/areas/payout/embeddedTransfer.channel.ts'
import { wechatTransfer } from '#src/areas/payout/wechatTransfer.channel.ts'
import { noBills } from '#src/areas/reconcile/bills.channel.ts'
import { embeddedBills } from '#src/areas/reconcile/embeddedBills.channel.ts'
import { wechatBills } from '#src/areas/reconcile/wechatBills.channel.ts'
import { embeddedTrack, httpTrack, noTrack } from '#src/areas/shipping/track.channel.ts'
import { embeddedSharing, noSharing } from '#src/areas/split/embeddedSharing.channel.ts'
import { wechatSharing } from '#src/areas/split/wechatSharing.channel.ts'
import type { Install } from '#src/server/call/implement.ts'
import type { AppOptions } from './options.ts'

/** The channel that an option names: one of the installation's own, none, or the embedded one. */
const chosen = <Own extends object, Channel>(
  option: Own | 'embedded' | 'none' | undefined,
  of: { own: (own: Own) => Channel; none: Channel; embedded: () => Channel },
): Channel => {
  if (typeof option === 'object') return of.own(option)
  return option === 'none' ? of.none : of.embedded()
}

type Channels = Pick<
  Install,
  | 'pay'
  | 'contracts'
  | 'transfer'
  | 'bank'
  | 'sharing'
  | 'bills'
  | 'track'
  | 'licence'
  | 'issue'
  | 'supplier'
  | 'tickets'
>
type Money = 'pay' | 'contracts' | 'transfer' | 'bank' | 'sharing' | 'bills'
const moneyChannels = (options: AppOptions): Pick<Channels, Money> => {
  const { database } = options
  const sharing = chosen(options.pay, {
    own: keys => (options.wechat ? wechatSharing(keys, options.wechat.appid) : noSharing),
    none: noSharing,
    embedded: () => embeddedSharing(database),
  })
  return {
    pay: chosen(options.pay, {
      own: wechatPay,
      none: noPay,
      embedded: () => embeddedPay(database),
    }),
    // WeChat's deductions are not built: where its payments are, nothing renews by itself.
    contracts: chosen(options.pay, {
      own: () => noContracts,
      none: noContracts,
      embedded: () => embeddedContracts(database),
    }),
    transfer: chosen(options.pay, {
      own: keys => (options.wechat ? wechatTransfer(keys, options.wechat.appid) : noTransfer),
      none: noTransfer,
      embedded: () => embeddedTransfer(database),
    }),
    bank: chosen(options.bank, {
      own: ({ href }) => httpBank(href),
      none: noBank,
      embedded: () => embeddedTransfer(database, { book: 'bank' }),
    }),
    sharing,
    bills: chosen(options.pay, {
      own: keys => wechatBills(keys),
      none: noBills,
      embedded: () => embeddedBills(database, sharing.own),
    }),
  }
}
/** Everybody outside with whom an installation deals: payment, banks, couriers, issuers. */
export const channelsOf = (options: AppOptions): Channels => ({
  ...moneyChannels(options),
  track: chosen(options.track, {
    own: ({ href }) => httpTrack(href),
    none: noTrack,
    embedded: () => embeddedTrack,
  }),
  licence: chosen(options.licence, {
    own: ({ href }) => httpLicence(href),
    none: noLicence,
    embedded: () => embeddedLicence,
  }),
  issue: chosen(options.issue, { own: of => of, none: noIssue, embedded: () => embeddedIssue }),
  supplier: chosen(options.supplier, {
    own: of => of,
    none: noSupplier,
    embedded: () => embeddedSupplier,
  }),
  tickets: chosen(options.tickets, {
    own: of => of,
    none: noProviders,
    embedded: () => embeddedProviders,
  }),
})
