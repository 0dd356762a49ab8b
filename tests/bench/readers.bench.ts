// What reads a text from outside takes time by its length, not by the square of it.
import { filledReason, reasonFault } from '#src/areas/audit/audit.ts'
import { codeOf } from '#src/areas/code/code.ts'
import { billRefusal } from '#src/areas/code/voucher.ts'
import { hoursTyped, wecomAccount } from '#src/areas/content/contact.ts'
import { soundHtml } from '#src/areas/content/html.server.ts'
import { rendered, unknownPlaceholders } from '#src/areas/content/shareCard.ts'
import { saysCount } from '#src/areas/export/dryRun.ts'
import { readMark, readMarkWord } from '#src/areas/export/fileMark.ts'
import { scheduleOf } from '#src/areas/figures/report.ts'
import { clickKeyword } from '#src/areas/link/clicks.ts'
import { batchRows, channelFault } from '#src/areas/link/h5Link.ts'
import { domainAllowed, filledPath, paramsOf, valuesTyped } from '#src/areas/link/pageLink.ts'
import { deviceOf, isIp, plainIp } from '#src/areas/log/logs.ts'
import { textLines } from '#src/areas/merchant/agreement.ts'
import { shownTarget, targetFault } from '#src/areas/notice/warning.ts'
import { invoiceNoOf } from '#src/areas/order/order.ts'
import { readSearch } from '#src/areas/order/orderSearch.ts'
import { importRows } from '#src/areas/people/people.ts'
import { stylesOf } from '#src/areas/sheet/cellText.server.ts'
import { readDelimited } from '#src/areas/sheet/delimited.server.ts'
import { headOf } from '#src/areas/sheet/heads.ts'
import { readHtml } from '#src/areas/sheet/htmlTable.server.ts'
import { attributesOf, decoded } from '#src/areas/sheet/markup.server.ts'
import {
  couriersFor,
  fitsCourier,
  patternFault,
  readTracking,
  sampleFault,
} from '#src/areas/shipping/courier.ts'
import { areasOf, cityOfAddress } from '#src/areas/shipping/freight.ts'
import { itemsOf } from '#src/areas/shipping/shipHead.ts'
import { readShipments } from '#src/areas/shipping/shipImport.ts'
import { calculate } from '#src/areas/workbench/calc.ts'
import { readTree } from '#src/areas/workbench/layout.ts'
import { csvField } from '#src/domain/csv.ts'
import { lostOf, wholeDigits } from '#src/domain/digits.ts'
import { masked } from '#src/domain/mask.ts'
import { centsOf } from '#src/domain/money.ts'
import { callableOf, mobileOf } from '#src/domain/phone.ts'
import { gramsOf, keyGrams } from '#src/domain/search.ts'
import { cutToLength, lengthOf, plainLines, say } from '#src/domain/text.ts'
import { typedTime } from '#src/domain/typedTime.ts'
import { cutToWidth, emailFault, limited } from '#src/domain/validate.ts'
import { plain } from '#src/shell/palette/plain.ts'
import { GROWTH_MAX, growthOf } from './growth.ts'
import { atLeast, bench, exactly } from './table.ts'

const courier = {
  pattern: '(?:SF|SX)\\d{12,13}',
  sort: 0,
  is_default: false,
  status: 'on' as const,
}
const facts = {
  title: '双人烤肉套餐',
  merchant_name: '炭火',
  store_name: '炭火（环球港店）',
  city_name: '上海',
  category_name: '美食',
  price_cents: 9900,
  list_price_cents: 19_900,
  submitted_at: 1_795_000_000,
}
const voucher = {
  face_cents: 10_000,
  min_spend_cents: 0,
  per_bill_limit: null,
  exclude_weekdays: [],
  unavailable_dates: [],
}
const bill = { bill_cents: 10_000, on_bill: 1, at: 1_795_000_000 }
const NOW = 1_795_000_000
const input = { tag: 'textarea' }

/** What reads a text that somebody typed, pasted, uploaded or sent; the shell's patterns stand in patterns.bench.ts. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  'rich text': soundHtml,
  'lines of an agreement': textLines,
  'words of a rejection': text => [reasonFault(text), filledReason(text, facts)],
  'a template': text => [
    say([text, text], 'zh', { a: 1 }),
    rendered(text, { product: 'a' }),
    unknownPlaceholders(text, 'bulks'),
  ],
  'a search': readSearch,
  'a search by words': text => [gramsOf(text), keyGrams(text)],
  'a code': codeOf,
  'an invoice’s number': invoiceNoOf,
  'a tracking number': text => [
    readTracking(text),
    fitsCourier(text, courier),
    couriersFor(text, [courier]),
  ],
  'a courier’s pattern': text => [patternFault(text), sampleFault(courier.pattern, text)],
  'an area': text => [areasOf(text), cityOfAddress(text)],
  'a heading of a sheet': headOf,
  'goods of a parcel': itemsOf,
  'rows of a sheet': text =>
    readShipments([
      ['订单号', '快递单号'],
      [text, text],
    ]),
  'a sheet of lines': readDelimited,
  'a table in HTML': readHtml,
  'attributes of a tag': text => [attributesOf(text), decoded(text)],
  'formats of cells': text => stylesOf(`<numFmt numFmtId="200" formatCode="${text}"/>`),
  'the mark of a file': text => [readMark(text), readMarkWord(text)],
  'people to bring in': importRows,
  'links to make': text => [batchRows(text), channelFault(text)],
  'parameters of a link': text => [
    paramsOf(text),
    valuesTyped(text),
    filledPath(text, [], {}),
    domainAllowed(text, ['a.com']),
  ],
  'who clicked': clickKeyword,
  'hours of a contact': text => [hoursTyped(text), wecomAccount(text)],
  'hours of a voucher': text => billRefusal({ ...voucher, use_time: text }, bill),
  'a target of notices': text => [
    targetFault('email', text),
    targetFault('sms', text),
    targetFault('wecom_robot', text),
    shownTarget('wecom_robot', text),
  ],
  'a schedule': scheduleOf,
  'an address of the network': text => [plainIp(text), isIp(text), deviceOf(text)],
  'a sum': text => [calculate(text), centsOf(text)],
  'a layout': readTree,
  'a count': text => saysCount(text, 12),
  'a phone': text => [mobileOf(text), callableOf(text), masked('phone', text)],
  'a moment': text => typedTime(text, NOW),
  'digits of a number': text => [lostOf(text), wholeDigits(text)],
  'a mailbox': emailFault,
  'a text': text => [plainLines(text), lengthOf(text), cutToLength(text, 20), csvField(text)],
  'a text of a width': text => [
    cutToWidth(text, 20),
    limited(text, { max: 20, integer: true, on: input }),
  ],
  'a line of the palette': plain,
}
/** What a text may begin with, so that a reader goes on to what stands behind it. */
const heads = ['', '<p ', '<a href="', '2026-1-1', '1-2', '{', 'SF', '"', 'https://a.com/', 'key=']
const parts = ['a', '1', ' ', '\n', '\t', '<', '<p', '</p>', '<a ', '<!--', '{', '{a}', '"', '""']
  .concat(['[', '(', ',', '-', '.', '&', '&amp;', '=', 'a=', '/', '..', ';', '#', '中', '店', '。'])
  .concat(['\u200b', '1,', 'a1 ', 'key=', '呢', '> ', '省', '👨‍👩‍👧', 'e\u0301'])
const shapes = heads.flatMap(head =>
  parts.map(part => (length: number) => head + part.repeat(length / part.length)),
)
/** A refusal is an answer as well. */
const tried = (read: (text: string) => unknown) => (text: string) => {
  try {
    return read(text)
  } catch (refused) {
    return refused
  }
}

const rereads = (text: string) =>
  [...text].reduce((sum, _, at) => sum + Array.from(text.slice(at)).length, 0)

await bench('readers of texts from outside', async note => {
  for (const [name, read] of Object.entries(readers)) {
    const slow = shapes.filter(shape => growthOf(tried(read), shape, 1000) > GROWTH_MAX)
    for (const shape of slow) console.log(`  ${name}: ${JSON.stringify(shape(16))}`)
    note(exactly(`${name}: shapes that take the square`, slow.length, 0))
  }
  const planted = growthOf(rereads, length => 'a'.repeat(length), 500)
  note(atLeast('one that looks back at all it has read', planted, GROWTH_MAX, '×'))
})
