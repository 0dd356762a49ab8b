import type { Action } from '#commands/command.ts'
import { batchActions } from '#commands/order/raiseList.ts'
import {
  depositRules,
  raiseCan,
  raisedBy,
  raiseModes,
  type RaiseState,
  type RaiseVerb,
} from '#src/areas/raise/raise.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { Money, When } from '#src/kit/show.tsx'
import { Failed } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { raiseList as calls, type BatchRow } from '../contract/raiseList.ts'
import { Amount, percentOf, RaiseBadge, RaiseBar, RaiseLeft, ShipDay, type Look } from './raise.tsx'
import { forecastOf, useAdvice } from './raiseAdvice.ts'

/** What a campaign's state leaves to decide: the rest stays in the menu. */
const due: Readonly<Record<RaiseState, readonly RaiseVerb[]>> = {
  draft: [],
  raising: ['extendRaise', 'declareSuccess', 'closeRaise', 'delayShip'],
  success: ['remindBalance', 'delayShip'],
  shipping: ['remindBalance', 'delayShip'],
  failed: [],
  finished: [],
}
const offered = (of: Look): Action[] =>
  due[of.state]
    .filter(verb => raiseCan(verb, of) === true || of.state === 'raising')
    .map(verb =>
      verb === 'delayShip' && of.state === 'raising'
        ? { ...batchActions[verb], main: false }
        : batchActions[verb],
    )

/** How far a campaign is, when it ends, who backs it, and what to do about it. */
const Figures = ({ of }: { of: BatchRow }) => {
  const say = useSay()
  const advice = useAdvice()
  const { raise } = of
  const [tone, words] = advice(of)
  return (
    <div className="ra-figures">
      <div className="ra-progress">
        <div>
          <span>
            <strong className="m-num">
              <Amount type={raise.target_type} n={raisedBy(raise.target_type, of.raised)} />
            </strong>{' '}
            / <Amount type={raise.target_type} n={raise.target} />
          </span>
          <strong className="m-num">
            {percentOf(raisedBy(raise.target_type, of.raised), raise.target)}%
          </strong>
        </div>
        <RaiseBar of={of} {...(raise.state === 'raising' && { forecast: forecastOf(of) })} />
      </div>
      <div>
        <small>{raise.state === 'raising' ? say(['剩余', 'Left']) : say(['截止', 'Ended'])}</small>{' '}
        {raise.state === 'raising' ? (
          <RaiseLeft of={raise} />
        ) : (
          <When at={of.ended_at ?? raise.end_at} />
        )}
        {raise.extended && (
          <>
            {' '}
            <small>{say(['已延长', 'extended'])}</small>
          </>
        )}
      </div>
      <div>
        <small>{say(['支持', 'Backers'])}</small> <span className="m-num">{of.backers}</span> ·{' '}
        <Money cents={of.raised.cents} sign />
      </div>
      <div>
        <small>{say(raiseModes[raise.mode])}</small> ·{' '}
        {raise.mode === 'deposit' && (
          <>
            <Money cents={raise.deposit_cents} sign />{' '}
            <small>{say(depositRules[raise.deposit_rule])}</small> ·{' '}
          </>
        )}
        <small>{say(['发货', 'Ships'])}</small> <ShipDay of={raise} />
      </div>
      <div className="ra-say" data-tone={tone} title={words}>
        {words}
      </div>
    </div>
  )
}
/**
 * The campaign of the order in focus: raised, target, time left, where it goes, and what can be
 * decided of it.
 */
export const CampaignHead = ({ id }: { id: number | null | undefined }) => {
  const say = useSay()
  const read = useRead(calls.batch, id ? { batch_id: id } : skipToken)
  const of = read.data && read.data.id === id ? read.data : undefined
  if (!id)
    return (
      <div className="ra-none">
        {say(['选择一个订单，这里显示它所属的众筹', 'Choose an order: its campaign is shown here'])}
      </div>
    )
  if (!of)
    return (
      <div className="ra-none">
        {read.error ? (
          <Failed error={read.error} retry={read.refetch} />
        ) : (
          say(['载入中…', 'Loading…'])
        )}
      </div>
    )
  const { raise } = of
  return (
    <section
      className="ra-head"
      aria-label={say(['众筹 {title}', 'Campaign {title}'], { title: raise.title })}
    >
      <header>
        <RaiseBadge of={raise} />
        <b title={raise.title}>{raise.title}</b>
        <Toolbar plain actions={offered(raise)} rows={[of]} />
      </header>
      <Figures of={of} />
    </section>
  )
}
