// Rules for the scripts of the report page.

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
  "setTimeout",
  "window",
];
const VENDORED = ["d3"]; // report_page/vendor

export default [
  js.configs.recommended,
  {
    files: ["src/uccurve/report_page/js/*.js", "eslint.config.js"],
    languageOptions: {
      globals: Object.fromEntries([...BROWSER, ...VENDORED].map((name) => [name, "readonly"])),
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
  { ignores: ["*", "!src", "!eslint.config.js", "src/uccurve/report_page/vendor"] },
];
