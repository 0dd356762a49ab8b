import { say, type Text } from '#src/domain/text.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import { lang } from '#src/kit/text.ts'
import { ofTab } from './stored.ts'
import { toast } from './toasts.tsx'

/** A difference of the clocks that is told, in ms. */
const TOLD_MS = 120_000
const NAME = 'mallet.clockTold'

const size = (seconds: number): Text => {
  const whole = (unit: number) => String(Math.floor(seconds / unit))
  if (seconds >= DAY) return [`${whole(DAY)} 天`, `${whole(DAY)} d`]
  if (seconds >= HOUR) return [`${whole(HOUR)} 小时`, `${whole(HOUR)} h`]
  return [`${whole(60)} 分钟`, `${whole(60)} min`]
}
/**
 * Tells, once in a tab of the browser, that this machine's clock is wrong. `ahead`: by how many ms
 * the server's is ahead of it.
 */
export const tellOfClock = (ahead: number): void => {
  if (Math.abs(ahead) <= TOLD_MS || ofTab.get(NAME) !== null) return
  ofTab.set(NAME, 'told')
  const by = say(size(Math.abs(ahead) / 1000), lang())
  const words: Text =
    ahead > 0
      ? [
          '本机时钟慢 {by}。时间已按服务器显示，请校准本机时钟',
          'This computer’s clock is {by} slow. Times are the server’s; please set it',
        ]
      : [
          '本机时钟快 {by}。时间已按服务器显示，请校准本机时钟',
          'This computer’s clock is {by} fast. Times are the server’s; please set it',
        ]
  toast(say(words, lang(), { by }), 'warning')
}
