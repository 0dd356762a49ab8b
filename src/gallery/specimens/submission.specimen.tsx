import { bodyFields, refuseCodes } from '#src/areas/application/application.ts'
import { applicationRuleText } from '#src/areas/application/findings.ts'
import { DAY, HOUR, unixNow } from '#src/domain/time.ts'
import {
  Expiry,
  FactChange,
  Findings,
  Flags,
  Pictures,
  Rounds,
  StateBadge,
  SubmissionFrame,
  Waiting,
} from '#src/kit/submission.tsx'
import { Kept } from '../frame.tsx'
import type { Specimen } from '../specimen.ts'

const ME = 7
const now = unixNow()
const task = {
  id: 1,
  title: '上海望湘园餐饮管理有限公司',
  state: 'claimed' as const,
  submitted_at: now - 3 * HOUR,
  sla_at: now + 21 * HOUR,
  claimed_by: ME,
  claimer_name: '周敏',
  claim_until: now + 200,
  decider_name: null,
  decided_at: null,
  reason: null,
}
const late = { ...task, submitted_at: now - 26 * HOUR, sla_at: now - 2 * HOUR }
const findings: Parameters<typeof Findings>[0]['of'] = [
  {
    rule: 'licence_expired',
    level: 'block' as const,
    field: 'license_expire_at',
    values: { date: '2026-10-01' },
  },
  {
    rule: 'same_phone',
    level: 'flag' as const,
    field: 'contact_phone',
    values: { names: '杭州小湖蟹餐饮有限公司' },
  },
]
const rounds = [
  {
    state: 'rejected' as const,
    reason_code: 'licence',
    reason: '执照照片模糊',
    by: '林晓',
    at: now - 2 * DAY,
  },
  {
    state: 'need_more' as const,
    reason_code: null,
    reason: '请补盖章合同',
    by: '林晓',
    at: now - 3 * DAY,
  },
]
const fieldOf = (field: string) => bodyFields[field as keyof typeof bodyFields]
export const specimen: Specimen = {
  part: 'submission',
  title: ['待审内容', 'A submission'],
  states: [
    {
      name: ['整页', 'Whole'],
      draw: () => (
        <SubmissionFrame
          task={task}
          me={ME}
          viewers={[{ id: 8, name: '王磊' }]}
          told={<span>新商户入驻</span>}
        >
          <Findings of={findings} text={applicationRuleText} fieldOf={fieldOf} />
          <Rounds of={rounds} codes={refuseCodes} what={() => '新商户入驻'} />
        </SubmissionFrame>
      ),
    },
    {
      name: ['机审无发现', 'No finding'],
      draw: () => <Findings of={[]} text={applicationRuleText} fieldOf={fieldOf} />,
    },
    {
      name: ['变更前后', 'Before and after'],
      draw: () => (
        <dl className="m-facts">
          <FactChange label="门店名称" now="小湖蟹（湖滨店）" was="小湖蟹（西湖店）" />
          <FactChange label="电话" now="0571-87006688" />
        </dl>
      ),
    },
    {
      name: ['图片', 'Pictures'],
      draw: () => (
        <Kept<number | undefined> first={undefined}>
          {(zoom, setZoom) => (
            <Pictures
              images={['demo/goods-1.webp', 'demo/goods-2.webp']}
              before={['demo/goods-1.webp']}
              zoom={zoom}
              setZoom={setZoom}
            />
          )}
        </Kept>
      ),
    },
    {
      name: ['状态、等待与有效期', 'State, age and expiry'],
      draw: () => (
        <p>
          <StateBadge row={task} /> <Waiting row={task} /> <Waiting row={late} />{' '}
          <Flags words={['折扣低于类目底线', '图片模糊']} /> <Expiry at={now + 9 * DAY} />{' '}
          <Expiry at={now - DAY} /> <Expiry at={null} />
        </p>
      ),
    },
  ],
}
