import type { Text } from '#src/domain/text.ts'

export { keptWords } from '#src/domain/text.ts'

/**
 * Why WeCom did not do what it was asked. `setup`: a person must mend the settings, asking again
 * helps nothing. `busy`: it was asked too often, later it will do. `silent`: no answer that can be
 * read. `refused`: this one thing is not possible. `none`: WeCom is not connected.
 */
type WecomFaultKind = 'setup' | 'busy' | 'silent' | 'refused' | 'none'
export type WecomFault = {
  kind: WecomFaultKind
  /** WeCom's errcode; 0 where there is none. */
  code: number
  text: Text
  /** A write of which nobody knows whether it was done: look before it is asked for again. */
  unknown: boolean
}

/** Tokens that WeCom does not take any more: a new one is fetched, once. */
export const wornToken: ReadonlySet<number> = new Set([40001, 40014, 41001, 42001])

type Known = { kind: 'setup' | 'busy' | 'refused'; text: Text }
const setup = (zh: string, en: string): Known => ({ kind: 'setup', text: [zh, en] })
const busy = (zh: string, en: string): Known => ({ kind: 'busy', text: [zh, en] })
const refused = (zh: string, en: string): Known => ({ kind: 'refused', text: [zh, en] })

/** Errcodes in words, with what to do about them. */
const known: Readonly<Record<number, Known>> = {
  [-1]: busy('企业微信系统繁忙，请稍后再试', 'WeCom is busy, try again later'),
  6000: busy('数据正被他人修改，请稍后再试', 'Somebody else changes it just now, try again'),
  40001: setup(
    '企业微信 Secret 无效或已重置，请在管理后台核对 WECOM_CONTACT_SECRET',
    'The WeCom secret is invalid or was reset: check WECOM_CONTACT_SECRET',
  ),
  40003: refused('成员账号无效或已离职', 'The member does not exist or has left'),
  40006: refused('素材文件大小不合要求', 'The file is of a size that WeCom does not take'),
  40007: refused(
    '素材无效或已过期，请重新上传',
    'The media is invalid or expired: upload it again',
  ),
  40013: setup('企业 ID 无效，请核对 WECOM_CORP_ID', 'The corp id is invalid: check WECOM_CORP_ID'),
  40014: setup('访问凭证无效，请核对应用状态', 'The access token is invalid: check the app'),
  40031: refused('成员列表无效，或不在应用可见范围内', 'Some members are invalid or not visible'),
  40035: refused('参数不被企业微信接受', 'WeCom does not accept the parameters'),
  40050: refused('客户群不存在', 'There is no such group chat'),
  40058: refused('参数不被企业微信接受', 'WeCom does not accept the parameters'),
  40063: refused('缺少必填参数', 'A parameter is missing'),
  40066: refused('部门不存在', 'There is no such department'),
  40068: refused('标签不存在，可能已被删除', 'There is no such tag, it may be deleted'),
  40071: refused('标签名称已存在', 'A tag of this name exists already'),
  40072: refused('标签名称为空，或超过 30 个字', 'The name of a tag is empty or too long'),
  40091: setup(
    'Secret 不属于这个企业，请核对 WECOM_CONTACT_SECRET',
    'The secret belongs to another corp: check WECOM_CONTACT_SECRET',
  ),
  40096: refused(
    '客户不存在，或跟进成员不在应用可见范围内',
    'The customer does not exist or is not visible',
  ),
  40097: refused('该成员尚未离职，请使用在职转接', 'The member has not left: transfer in service'),
  40098: refused('成员尚未实名认证', 'The member has not been verified by name'),
  40099: refused('成员的客户数已达上限', 'The member can take no more customers'),
  40100: refused('客户已在转接流程中', 'The customer is being transferred already'),
  40126: refused('企业标签已达上限', 'The corp can have no more tags'),
  40128: refused('90 天内已转接 2 次，暂不能再转接', 'Transferred twice in 90 days already'),
  40129: refused('客户正在转接中', 'The customer is being transferred'),
  40130: refused('原跟进人与接替人相同', 'Giver and taker are the same'),
  40131: refused('原跟进人未跟进这位客户', 'The giver does not follow this customer'),
  40143: refused('成员已被封禁，不能转接', 'The member is banned and can transfer nothing'),
  41001: setup('缺少访问凭证', 'The access token is missing'),
  41041: refused('“联系我”的使用人数超过限制', 'Too many members in one contact way'),
  41044: refused('“联系我”配置不存在，可能已被删除', 'There is no such contact way'),
  41045: refused('“联系我”数量已达上限', 'The corp can have no more contact ways'),
  41047: refused('群发任务不存在', 'There is no such mass message'),
  41048: refused('没有可发送的客户', 'There is nobody to send it to'),
  41050: refused('欢迎语凭证无效或已过期', 'The welcome code is invalid or too old'),
  41051: refused('双方已开始聊天，不再发送欢迎语', 'They chat already, no welcome is sent'),
  41054: refused('成员尚未激活', 'The member has not been activated'),
  41055: refused('入群欢迎语模板已达上限', 'The corp can have no more group welcomes'),
  41058: refused('无权编辑这个入群欢迎语模板', 'This group welcome may not be edited'),
  41063: busy('群发正在派发，请稍后再试', 'The mass message is being sent out, try again'),
  41064: refused('附件数量超过限制', 'Too many attachments'),
  41065: refused('附件类型无效', 'An attachment is of a wrong kind'),
  41091: refused('一个群活码最多关联 5 个群', 'A join code leads to at most 5 groups'),
  41093: refused('群发任务已取消', 'The mass message was cancelled'),
  41094: busy('群发提醒过于频繁，请稍后再试', 'Reminded too often, try again later'),
  41096: refused('欢迎语已由其他应用发送', 'Another app has sent a welcome already'),
  42001: setup('访问凭证已过期', 'The access token has expired'),
  45001: refused('文件过大', 'The file is too large'),
  45002: refused('消息内容过长', 'The message is too long'),
  45009: busy('接口调用超过频率限制，请稍后再试', 'Asked too often, try again later'),
  45033: busy('接口并发过高，请稍后再试', 'Too much was asked at the same time, try again'),
  48001: setup(
    '应用未开通此接口，请在“客户联系 → API”中授权',
    'The app has no right to this: grant it in customer contact, API',
  ),
  48002: setup(
    '应用无权调用此接口，请在“客户联系 → API → 可调用接口的应用”中添加',
    'The app may not ask this: add it to the apps that may call customer contact',
  ),
  48009: setup(
    '应用创建较晚，不能用通讯录 Secret 调用此接口，请改用自建应用的 Secret',
    'The directory’s secret may not ask this: use the secret of an app of your own',
  ),
  49008: refused('客户群已解散', 'The group chat is dissolved'),
  60010: refused('部门存在循环关系', 'The departments go round in a circle'),
  60011: setup(
    '成员、部门或标签不在应用可见范围内，请调整可见范围',
    'Members, departments or tags are not visible to the app: widen its range',
  ),
  60020: setup(
    '服务器 IP 不在可信名单中，请在应用详情“企业可信 IP”中添加',
    'This server’s IP is not trusted: add it to the app’s trusted IPs',
  ),
  60021: refused('成员不在应用可见范围内', 'The member is not visible to the app'),
  60111: refused('成员不存在或已离职', 'The member does not exist or has left'),
  60123: refused('部门不存在', 'There is no such department'),
  81013: refused('接收人不在应用可见范围内', 'The app may not write to this member'),
  84061: refused('双方已不是好友关系', 'They are no friends any more'),
  84074: refused('成员未开通客户联系功能', 'The member may not contact customers'),
  90500: refused('群主尚未离职，请使用在职群转接', 'The owner has not left: transfer in service'),
  90501: refused('不是离职成员的客户群', 'The group is not one of a member who left'),
  90502: refused('群主已离职，请使用离职群继承', 'The owner has left: hand the group down'),
  90503: refused('新群主没有客户联系权限', 'The new owner may not contact customers'),
  90504: refused('客户群正在转接中', 'The group is being transferred'),
  90505: refused('新群主已是群主', 'The new owner owns it already'),
  90507: refused('新群主今日接收的群已达上限', 'The new owner can take no more groups today'),
}

/** What an errcode means here; one that is not known is told with WeCom's own words. */
export const faultOfCode = (code: number, errmsg = '', unknown = false): WecomFault => {
  const found = known[code]
  if (found) {
    const ip = code === 60020 ? /from ip: ([\d.:a-f]{3,45})/i.exec(errmsg)?.[1] : undefined
    const [zh, en] = found.text
    return {
      kind: found.kind,
      code,
      text: ip ? [`${zh}：${ip}`, `${en}: ${ip}`] : [zh, en],
      unknown,
    }
  }
  const said = errmsg.replace(/,? ?hint:.*$/s, '').slice(0, 100)
  return {
    kind: 'refused',
    code,
    text: [`企业微信拒绝了请求（${code} ${said}）`, `WeCom refused it (${code} ${said})`],
    unknown,
  }
}
/** No answer came, or none that can be read. */
export const silence = (text: Text, unknown: boolean): WecomFault => ({
  kind: 'silent',
  code: 0,
  text,
  unknown,
})
/** Said where WeCom is not connected at all. */
export const notConnected: WecomFault = {
  kind: 'none',
  code: 0,
  text: [
    '未接入企业微信，请配置 WECOM_CORP_ID 与 WECOM_CONTACT_SECRET',
    'WeCom is not connected: set WECOM_CORP_ID and WECOM_CONTACT_SECRET',
  ],
  unknown: false,
}
