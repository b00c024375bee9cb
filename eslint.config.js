// Rules for the scripts of the report page and of the atlas.

import js from "@eslint/js";

const BROWSER = [
  "Blob",
  "Image",
  "IntersectionObserver",
  "ResizeObserver",
  "URL",
  "URLSearchParams",
  "XMLSerializer",
  "atob",
  "clearTimeout",
  "document",
  "getComputedStyle",
  "navigator",
  "setTimeout",
  "window",
];

export default [
  js.configs.recommended,
  {
    files: ["src/uccurve/report_page/web/*.js", "casestudies/atlas/explorer.js", "eslint.config.js"],
    languageOptions: {
      globals: Object.fromEntries(BROWSER.map((name) => [name, "readonly"])),
    },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-nested-ternary": "error",
      "no-param-reassign": "error",
      "no-shadow": "error",
      "no-unused-vars": ["error", { argsIgnorePattern: "^_$" }],
      "no-use-before-define": ["error", { functions: false, variables: false }],
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  { ignores: ["*", "!src", "!casestudies", "!eslint.config.js", "**/*.min.js"] },
];
