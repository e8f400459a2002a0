import { escapeRegExp } from '../util/escape-reg-exp.js';
import { hasDigit, hasLetterAndDigit, isMixed } from './random.js';
import type { Rule, RuleGroup } from './rule.js';

const ALNUM = '[A-Za-z0-9]';
const WORD = '[A-Za-z0-9_]';
const DASHED = '[A-Za-z0-9_-]';
const BASE64 = '[A-Za-z0-9+/=_-]';
const HEX = '[A-Fa-f0-9]';

const NEW_WORD = '(?<![A-Za-z0-9_])';

interface TokenRule extends Rule {
  /** True if each of `has` stands at the beginning of a word. */
  beginsWord?: boolean;
}

/**
 * Returns a rule for tokens that begin with a fixed text. `least` is the number of characters behind the prefix from which a text is a
 * token; it is far below what the service issues, because a preview can cut a token, and the rest of it is still a secret.
 */
function prefixed(kind: string, prefixes: string[], characters: string, least: number, holds = hasDigit): TokenRule {
  const start = prefixes.map(escapeRegExp).join('|');
  const pattern = new RegExp(`()${NEW_WORD}(?:${start})${characters}{${least},}`, 'g');
  return { kind, has: prefixes, pattern, holds, beginsWord: true };
}

/** Tokens whose own text says what they are, by the service that issues them. */
const TOKENS: TokenRule[] = [
  { kind: 'Anthropic key', has: ['sk-ant-'], pattern: /(\bsk-ant-(?:[a-z]{2,6}\d{2}-)?)[A-Za-z0-9_-]{8,}/g },
  {
    kind: 'OpenAI key',
    has: ['sk-'],
    pattern: /(\bsk-(?:proj-|svcacct-|admin-)?)[A-Za-z0-9_-]{20,}/g,
    holds: (secret) => isMixed(secret),
  },
  prefixed('OpenRouter key', ['sk-or-v1-', 'sk-or-'], ALNUM, 16),
  prefixed('xAI key', ['xai-'], ALNUM, 20),
  prefixed('Groq key', ['gsk_'], ALNUM, 20),
  // Groups of letters alone are common in them.
  prefixed(
    'Hugging Face token',
    ['hf_', 'api_org_'],
    ALNUM,
    20,
    (secret) => /[a-z]/.test(secret) && /[A-Z]/.test(secret),
  ),
  prefixed('Replicate token', ['r8_'], ALNUM, 20),
  prefixed('Perplexity key', ['pplx-'], ALNUM, 20),
  prefixed('NVIDIA key', ['nvapi-'], DASHED, 20),
  prefixed('Cerebras key', ['csk-'], ALNUM, 20),
  prefixed('Fireworks key', ['fw_'], ALNUM, 20, hasLetterAndDigit),
  prefixed('Together key', ['tgp_v1_'], DASHED, 20),
  prefixed('LangSmith key', ['lsv2_pt_', 'lsv2_sk_'], WORD, 20),
  prefixed('Langfuse key', ['sk-lf-'], DASHED, 20),
  prefixed('GitHub token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], ALNUM, 16, () => true),
  prefixed('GitHub token', ['github_pat_'], WORD, 20),
  prefixed(
    'GitLab token',
    ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glimt-', 'glagent-', 'gloas-', 'glsoat-', 'glffct-'],
    '[A-Za-z0-9_.-]',
    12,
    () => true,
  ),
  prefixed('Bitbucket token', ['ATBB', 'BBDC-'], BASE64, 20),
  prefixed('Atlassian token', ['ATATT3', 'ATCTT3'], BASE64, 20),
  prefixed('npm token', ['npm_'], ALNUM, 20),
  { kind: 'npm token', has: ['_authToken='], pattern: /(_authToken=)[^\s$"'\\]{4,}/g },
  prefixed('PyPI token', ['pypi-'], DASHED, 24, isMixed),
  prefixed('RubyGems token', ['rubygems_'], HEX, 20),
  prefixed('crates.io token', ['cio'], ALNUM, 32, isMixed),
  prefixed('NuGet key', ['oy2'], '[a-z0-9]', 40),
  prefixed('Docker token', ['dckr_pat_', 'dckr_oat_'], DASHED, 12),
  prefixed('DigitalOcean token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], HEX, 20),
  prefixed('Heroku key', ['HRKU-'], DASHED, 20),
  prefixed('Vercel token', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], ALNUM, 20),
  prefixed('Netlify token', ['nfp_', 'nfc_', 'nfo_', 'nfu_', 'nfb_'], ALNUM, 20),
  prefixed('Render key', ['rnd_'], ALNUM, 20, hasLetterAndDigit),
  prefixed('Fly.io token', ['fm1r_', 'fm2_', 'fo1_'], BASE64, 24, isMixed),
  prefixed('Supabase key', ['sbp_', 'sb_secret_'], WORD, 20),
  prefixed('PlanetScale secret', ['pscale_pw_', 'pscale_tkn_', 'pscale_oauth_'], '[A-Za-z0-9_.-]', 20),
  prefixed('Databricks token', ['dapi'], HEX, 24),
  prefixed('HashiCorp Vault token', ['hvs.', 'hvb.', 'hvr.'], DASHED, 20),
  {
    kind: 'Terraform Cloud token',
    has: ['.atlasv1.'],
    pattern: /()(?<![A-Za-z0-9])[A-Za-z0-9]{10,20}\.atlasv1\.[A-Za-z0-9_-]{20,}/g,
  },
  prefixed('Pulumi token', ['pul-'], HEX, 30),
  prefixed('Doppler token', ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'], '[A-Za-z0-9_.-]', 20),
  prefixed('1Password token', ['ops_ey'], BASE64, 24),
  prefixed('age key', ['AGE-SECRET-KEY-1'], '[A-Z0-9]', 20),
  prefixed(
    'Slack token',
    ['xoxa-', 'xoxb-', 'xoxc-', 'xoxd-', 'xoxe-', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxe.', 'xapp-'],
    '[A-Za-z0-9.%-]',
    10,
  ),
  {
    kind: 'Slack webhook',
    has: ['hooks.slack'],
    pattern: /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/]{8,}/g,
  },
  {
    kind: 'Discord webhook',
    has: ['/webhooks/'],
    pattern: /(\/api\/(?:v\d{1,2}\/)?webhooks\/)\d{8,20}\/[A-Za-z0-9_-]{16,}/g,
  },
  {
    kind: 'Teams webhook',
    has: ['webhook.office.com'],
    pattern: /(webhook\.office\.com\/webhookb2\/)[A-Za-z0-9@/-]{20,}/g,
  },
  {
    kind: 'Discord token',
    has: ['.G', '.X', '.Y', '.Z'],
    pattern: /()(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{22,27}\.[GXYZ][A-Za-z0-9_-]{5}\.[A-Za-z0-9_-]{27,}/g,
    holds: (secret) => isMixed(secret),
  },
  {
    kind: 'Telegram token',
    has: [':AA'],
    pattern: /()(?<![A-Za-z0-9])(?:bot)?\d{8,10}:AA[A-Za-z0-9_-]{30,}/g,
  },
  prefixed('Linear key', ['lin_api_', 'lin_oauth_'], ALNUM, 20),
  prefixed('Notion token', ['ntn_', 'secret_'], ALNUM, 30),
  prefixed('Figma token', ['figd_', 'figu_'], DASHED, 20),
  prefixed('Airtable token', ['pat'], '[A-Za-z0-9]{14}\\.[a-f0-9]', 40),
  prefixed('Postman key', ['PMAK-'], DASHED, 20),
  prefixed('Grafana token', ['glc_', 'glsa_'], BASE64, 20),
  prefixed('Sentry token', ['sntrys_', 'sntryu_'], BASE64, 24),
  prefixed('New Relic key', ['NRAK-', 'NRJS-', 'NRII-'], DASHED, 16),
  prefixed('Dynatrace token', ['dt0c01.', 'dt0s16.'], '[A-Za-z0-9.]', 24),
  prefixed('PostHog key', ['phx_', 'phs_'], ALNUM, 20),
  prefixed('Buildkite token', ['bkua_'], ALNUM, 20),
  prefixed('CircleCI token', ['CCIPAT_', 'CCIPRJ_'], WORD, 20),
  prefixed('SonarQube token', ['squ_', 'sqp_', 'sqa_'], HEX, 30),
  prefixed('JFrog key', ['AKCp', 'cmVmdGtuO'], ALNUM, 40),
  prefixed('Tailscale key', ['tskey-'], DASHED, 16),
  prefixed('Shopify token', ['shpat_', 'shpca_', 'shppa_', 'shpss_'], HEX, 20),
  prefixed('Stripe key', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], ALNUM, 16),
  prefixed('webhook secret', ['whsec_'], BASE64, 16),
  prefixed('Square token', ['sq0atp-', 'sq0csp-', 'sq0idp-'], DASHED, 16),
  prefixed('Resend key', ['re_'], '[A-Za-z0-9]{8}_[A-Za-z0-9]', 16),
  prefixed('SendGrid key', ['SG.'], '[A-Za-z0-9_-]{8,40}\\.[A-Za-z0-9_-]', 16),
  prefixed('Brevo key', ['xkeysib-', 'xsmtpsib-'], DASHED, 20),
  prefixed('Mailgun key', ['key-'], HEX, 32),
  {
    kind: 'Mailchimp key',
    has: ['-us'],
    pattern: /()(?<![A-Za-z0-9])[a-f0-9]{32}-us\d{1,2}(?![A-Za-z0-9])/g,
  },
  prefixed('Twilio key', ['SK'], '[a-f0-9]', 32),
  prefixed('Dropbox token', ['sl.'], DASHED, 60, isMixed),
  prefixed('Facebook token', ['EAA'], ALNUM, 60),
  prefixed('Google key', ['AIza'], DASHED, 30),
  prefixed('Google token', ['ya29.', '1//0', 'GOCSPX-'], DASHED, 20),
  {
    kind: 'AWS key id',
    has: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    pattern: /()\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/g,
    holds: (secret) => !secret.endsWith('EXAMPLE'),
  },
  prefixed('Alibaba key id', ['LTAI'], ALNUM, 16),
  {
    kind: 'Cloudflare key',
    has: ['v1.0-'],
    pattern: /()\bv1\.0-[a-f0-9]{20,}-[a-f0-9]{20,}/g,
  },
  {
    kind: 'JSON web token',
    has: ['.eyJ'],
    pattern: /()\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g,
  },
  {
    kind: 'signed URL',
    has: ['ignature=', 'sig=', 'ecurity-Token='],
    pattern: /([?&;](?:amp;)?(?:sig|[sS]ignature|X-(?:Amz|Goog)-(?:Signature|Security-Token))=)[A-Za-z0-9%+/=_-]{16,}/g,
  },
];

/** One look at a text for all tokens: there are many rules, and nearly every text holds none. */
function tokenGate(): RegExp {
  const starts = (beginsWord: boolean) =>
    TOKENS.filter((rule) => (rule.beginsWord ?? false) === beginsWord)
      .flatMap(({ has }) => has)
      .map(escapeRegExp)
      .join('|');
  return new RegExp(`(?:${NEW_WORD}(?:${starts(true)})|${starts(false)})(?:[A-Za-z0-9_./=%+:@-]{8}|\\d{1,2}(?!\\d))`);
}

export const TOKEN_RULES: RuleGroup = { gate: tokenGate(), rules: TOKENS };
