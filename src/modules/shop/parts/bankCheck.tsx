import { merchantFormActions as actions } from '#commands/shop/merchant.ts'
import {
  bankCheckStates,
  voidReasons,
  type BankCheckState,
} from '#src/areas/bankCheck/bankCheck.ts'
import { countEn } from '#src/domain/text.ts'
import { Badge, Fact, Facts, When } from '#src/kit/show.tsx'
import { useSay, type Say } from '#src/kit/text.ts'
import { useResult, useWorkbench } from '#src/kit/workbench.ts'
import type { BankStanding } from '../contract/bankCheck.ts'

const tones: Record<BankCheckState, 'info' | 'warn' | 'good' | 'plain' | 'bad'> = {
  sending: 'info',
  waiting: 'warn',
  verified: 'good',
  void: 'plain',
  failed: 'bad',
}
type Check = NonNullable<BankStanding['check']>
/** Why the last payment proves nothing, or how many amounts may still be typed. */
const noteOf = ({ state, void_why, error, tries_left }: Check, say: Say): string | undefined => {
  if (state === 'void' && void_why) return say(voidReasons[void_why])
  if (state === 'failed') return error
  return state === 'waiting'
    ? say([`还可填写 ${tries_left} 次`, `${countEn(tries_left, 'try', 'tries')} left`])
    : undefined
}
/** Whether the account is verified, in one badge. */
export const VerifiedBadge = ({ of }: { of: BankStanding }) => {
  const say = useSay()
  if (of.verified_at !== null) return <Badge tone="good">{say(bankCheckStates.verified)}</Badge>
  return <Badge tone="warn">{say(['账户未验证', 'Account not verified'])}</Badge>
}
/** How the verification of a settlement account stands: the amount that was paid is never shown. */
export const BankCheckFacts = ({ of }: { of: BankStanding }) => {
  const say = useSay()
  const { check } = of
  // What became of a payment to an earlier account says nothing of this one.
  const shown = of.verified_at === null || check?.state === 'verified' ? check : null
  const note = shown && noteOf(shown, say)
  return (
    <Facts>
      <Fact label={say(['验证', 'Verification'])}>
        <VerifiedBadge of={of} />
      </Fact>
      {of.verified_at !== null && (
        <Fact label={say(['验证人', 'Verified by'])}>
          {of.verified_by || '—'} <When at={of.verified_at} />
        </Fact>
      )}
      {shown && of.verified_at === null && (
        <>
          <Fact label={say(['最近打款', 'Last payment'])}>
            <Badge tone={tones[shown.state]}>{say(bankCheckStates[shown.state])}</Badge>
          </Fact>
          {note && (
            <Fact wide label={say(['说明', 'Note'])}>
              {note}
            </Fact>
          )}
          <Fact wide label={say(['打款单号', 'Payment no.'])}>
            {shown.no}
          </Fact>
          <Fact label={say(['发起人', 'Started by'])}>{shown.asked_by || '—'}</Fact>
          <Fact label={say(['发起时间', 'Started'])}>
            <When at={shown.asked_at} />
          </Fact>
        </>
      )}
      {of.verified_at === null && (
        <Fact label={say(['今天还可打款', 'Payments left today'])}>
          {of.is_connected
            ? say(['{n} 次', '{n}'], { n: of.left_today })
            : say(['未接入银行打款', 'No bank is connected'])}
        </Fact>
      )}
    </Facts>
  )
}

/** Says what a payment or an amount came to. */
export const useBankCheckTold = () => {
  const say = useSay()
  const { toast } = useWorkbench()
  useResult(actions.verifyBank, ({ left_today }) => {
    toast(
      say(
        [
          '已发起打款，到账后请商户查看流水并告知金额（今天还可 {n} 次）',
          'Payment started: ask the merchant for the amount on its statement ({n} left today)',
        ],
        { n: left_today },
      ),
      'success',
    )
    return true
  })
  useResult(actions.confirmBank, ({ is_verified, tries_left }) => {
    if (is_verified)
      toast(say(['金额相符，账户已验证', 'Amount matches: account verified']), 'success')
    else if (tries_left > 0)
      toast(
        say(
          [
            '金额不符，还可填写 {n} 次，请与商户核对流水',
            'Wrong amount, attempts left: {n}. Check with the merchant',
          ],
          { n: tries_left },
        ),
        'warning',
      )
    else
      toast(
        say([
          '金额 3 次不符，这笔打款已作废，请重新打款验证',
          'Wrong three times: this payment is void. Pay again to verify',
        ]),
        'danger',
      )
    return true
  })
}
