import { gunzipSync } from 'node:zlib'
import type { Text } from '#src/domain/text.ts'
import { readBill } from './bills.ts'
import type { Bill } from './reconcile.ts'

/** What a packed bill may unpack to: 20,000 lines are a third of it. */
export const UNPACKED_MOST = 24 * 1024 * 1024

/** Reads the bytes of a bill, packed by gzip or plain UTF-8; in the thread for files. */
export const readBillFile = (file: Buffer, day: string): Bill | { fault: Text } => {
  const isPacked = file[0] === 0x1f && file[1] === 0x8b
  try {
    const bytes = isPacked ? gunzipSync(file, { maxOutputLength: UNPACKED_MOST }) : file
    return readBill(new TextDecoder('utf-8', { fatal: true }).decode(bytes), day)
  } catch {
    return {
      fault: isPacked
        ? [
            '压缩文件已损坏或解压后过大，请重新下载',
            'The packed file is damaged or unpacks to too much: download it again',
          ]
        : ['账单须为 UTF-8 文本或 gzip 压缩', 'A bill is UTF-8 text, or packed by gzip'],
    }
  }
}
