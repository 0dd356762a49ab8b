import './server/clock.ts'
import { bulksDetailServer, bulksServer } from './server/bulks.ts'
import { cardDetailServer, cardServer } from './server/card.ts'
import { comboDetailServer, comboServer } from './server/combo.ts'
import { comboRefundServer } from './server/comboRefund.ts'
import { configServer } from './server/config.ts'
import { elistDetailServer, elistServer } from './server/elist.ts'
import { eRefundServer } from './server/eRefund.ts'
import { findServer } from './server/find.ts'
import { goodsDetailServer, goodsServer } from './server/goods.ts'
import { pointsShopDetailServer, pointsShopServer } from './server/pointsShopList.ts'
import { raiseDetailServer, raiseListServer } from './server/raiseList.ts'
import { rollBuyDetailServer, rollBuyServer } from './server/rollBuy.ts'
import { settingsServer } from './server/settings.ts'
import { bulksVerifyServer, rollBuyVerifyServer, voucherVerifyServer } from './server/verify.ts'
import { visitorDetailServer, visitorServer } from './server/visitor.ts'
import { voucherDetailServer, voucherServer } from './server/voucher.ts'

export default [
  findServer,
  configServer,
  settingsServer,
  bulksServer,
  bulksDetailServer,
  rollBuyServer,
  rollBuyDetailServer,
  cardServer,
  cardDetailServer,
  voucherServer,
  voucherDetailServer,
  bulksVerifyServer,
  rollBuyVerifyServer,
  voucherVerifyServer,
  eRefundServer,
  goodsServer,
  goodsDetailServer,
  pointsShopServer,
  pointsShopDetailServer,
  elistServer,
  elistDetailServer,
  visitorServer,
  visitorDetailServer,
  raiseListServer,
  raiseDetailServer,
  comboServer,
  comboDetailServer,
  comboRefundServer,
]
