import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import {
  warningMetricNames,
  warningOperators,
  warningLevels,
  warningStates,
  notifyChannels,
} from './warning.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  warning_rule: {
    title: ['预警规则', 'Warning rule'],
    fields: {
      metric: { title: ['指标', 'Metric'], kind: 'enum', options: warningMetricNames },
      operator: { title: ['条件', 'Condition'], kind: 'enum', options: warningOperators },
      threshold: { title: ['阈值', 'Threshold'], kind: 'number' },
      window_s: { title: ['窗口（秒）', 'Window (seconds)'], kind: 'number' },
      min_sample: { title: ['最小样本', 'Smallest sample'], kind: 'number' },
      level: { title: ['级别', 'Level'], kind: 'enum', options: warningLevels },
      group_ids: { title: ['接收群组', 'Groups told'], kind: 'names', of: 'notify_group' },
      auto_recover: { title: ['自动恢复', 'Ends by itself'], kind: 'flag' },
      mute_until: { title: ['静默至', 'Muted until'], kind: 'time' },
      mute_reason: { title: ['静默原因', 'Why muted'] },
      scope: { title: ['范围', 'Place'] },
      gone: { title: ['已删除', 'Deleted'], kind: 'flag' },
      copied_from: { title: ['复制自', 'Copied from'], kind: 'number' },
    },
  },
  warning_log: {
    title: ['预警', 'Alarm'],
    fields: {
      state: { title: ['状态', 'State'], kind: 'enum', options: warningStates },
      level: { title: ['级别', 'Level'], kind: 'enum', options: warningLevels },
      acked_by: { title: ['确认人', 'Acknowledged by'], kind: 'name', of: 'admin' },
      assigned_to: { title: ['负责人', 'Person'], kind: 'name', of: 'admin' },
      handled_by: { title: ['处理人', 'Handled by'], kind: 'name', of: 'admin' },
      acked_at: { title: ['确认时间', 'Acknowledged'], kind: 'time' },
      handled_at: { title: ['处理时间', 'Handled'], kind: 'time' },
      escalated_at: { title: ['升级时间', 'Escalated'], kind: 'time' },
      recovered_at: { title: ['恢复时间', 'Recovered'], kind: 'time' },
      result: { title: ['处理结果', 'Result'] },
      value: { title: ['数值', 'Value'], kind: 'number' },
    },
  },
  notify_group: {
    title: ['通知群组', 'Notification group'],
    fields: {
      channel: { title: ['渠道', 'Channel'], kind: 'enum', options: notifyChannels },
      target: { title: ['目标', 'Target'] },
      members: { title: ['成员', 'Members'], kind: 'names', of: 'admin' },
      roster: { title: ['值班表', 'Roster'] },
      quiet: { title: ['免打扰', 'Quiet hours'] },
      ok: { title: ['送达', 'Arrived'], kind: 'flag' },
      answer: { title: ['渠道返回', 'Answer'] },
    },
  },
}
