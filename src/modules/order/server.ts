import './server/clock.ts'
import { bulksDetailServer, bulksServer } from './server/bulks.ts'
import { cardDetailServer, cardServer } from './server/card.ts'
import { goodsDetailServer, goodsServer } from './server/goods.ts'
import { configServer } from './server/config.ts'
import { settingsServer } from './server/settings.ts'
import { elistDetailServer, elistServer } from './server/elist.ts'
import { eRefundServer } from './server/eRefund.ts'
import { bulksVerifyServer, rollBuyVerifyServer, voucherVerifyServer } from './server/verify.ts'
import { voucherDetailServer, voucherServer } from './server/voucher.ts'
import { rollBuyDetailServer, rollBuyServer } from './server/rollBuy.ts'
import { visitorDetailServer, visitorServer } from './server/visitor.ts'

export default [configServer, settingsServer, bulksServer, bulksDetailServer, rollBuyServer, rollBuyDetailServer, cardServer, cardDetailServer, voucherServer, voucherDetailServer, bulksVerifyServer, rollBuyVerifyServer, voucherVerifyServer, eRefundServer, goodsServer, goodsDetailServer, elistServer, elistDetailServer, visitorServer, visitorDetailServer]
