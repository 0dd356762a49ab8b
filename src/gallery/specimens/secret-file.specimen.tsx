import { SecretFile } from '#src/kit/secret-file.tsx'
import type { Specimen } from '../specimen.ts'

const zip = { rows: 1200, left: 300, name: 'codes.zip', secret_file: null }
export const specimen: Specimen = {
  part: 'secret-file',
  title: ['加密文件与密码', 'An encrypted file and its password'],
  states: [
    {
      name: ['密码只显示一次', 'The password, shown once'],
      layer: true,
      draw: close => (
        <SecretFile of={{ ...zip, secret_password: 'ABCD2345EFGH6789JKMN' }} close={close} />
      ),
    },
    {
      name: ['已显示过', 'Shown before'],
      layer: true,
      draw: close => <SecretFile of={{ ...zip, secret_password: null }} close={close} />,
    },
  ],
}
