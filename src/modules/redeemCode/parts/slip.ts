import { cardText } from '#src/areas/redeemCode/card.ts'
import { goodsStates } from '#src/areas/redeemCode/goods.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { DeskCode } from '../contract/vertify.ts'

const style =
  'body{font:14px/1.6 system-ui,sans-serif;color:#000;margin:8mm}h1{font-size:18px;margin:0 0 4px}p{margin:2px 0}@page{size:80mm auto;margin:4mm}'
/** Prints what was redeemed, from a page of its own that is gone afterwards; the code by its end. */
export const printCodeSlip = (
  of: DeskCode,
  say: (text: Text, values?: Record<string, string | number>) => string,
): void => {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'position:fixed;width:0;height:0;border:0;visibility:hidden'
  frame.setAttribute('aria-hidden', 'true')
  document.body.append(frame)
  const page = frame.contentDocument!
  const add = (into: HTMLElement, tag: string, text: string) => {
    const made = page.createElement(tag)
    made.textContent = text
    into.append(made)
  }
  const done = of.history.find(one => one.result === 'ok' && !one.revoked)
  add(page.head, 'style', style)
  add(page.body, 'h1', say(['兑换小票', 'Redemption']))
  for (const line of [
    `${say(['兑换码', 'Code'])} ${of.masked}`,
    of.batch_name,
    of.rewards.join(say(comma)),
    done ? `${timeFull(done.at).slice(0, 16)} ${done.member}` : of.text,
    done?.by ?? '',
    of.card ? cardText(of.card, say) : '',
    of.goods ? `${of.goods.name} ${say(goodsStates[of.goods.state])}` : '',
    of.goods?.at ? `${timeFull(of.goods.at).slice(0, 16)} ${of.goods.store}` : '',
  ])
    if (line) add(page.body, 'p', line)
  frame.contentWindow!.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow!.print()
}
