/** The names of the public platform's .gitignore templates. */
export const gitignoreTemplates: ReadonlySet<string> = new Set(
  `AL Actionscript Ada Agda AltiumDesigner Android Angular AppEngine AppceleratorTitanium ArchLinuxPackages Autotools Ballerina C
  C++ CFWheels CMake CUDA CakePHP ChefCookbook Clojure CodeIgniter CommonLisp Composer Concrete5 Coq Cordova CraftCMS D DM Dart
  Delphi Dotnet Drupal EPiServer Eagle Elisp Elixir Elm Erlang ExpressionEngine ExtJs Fancy Finale Firebase FlaxEngine Flutter
  ForceDotCom Fortran FuelPHP GWT Gcov GitBook GitHubPages Gleam Go Godot Gradle Grails HIP Haskell Haxe IAR IGORPro Idris
  JBoss JENKINS_HOME Java Jekyll Joomla Julia Katalon KiCad Kohana Kotlin LabVIEW LangChain Laravel Leiningen LemonStand
  Lilypond Lithium Lua Luau Magento Maven Mercury MetaProgrammingSystem ModelSim Modelica Nanoc Nestjs Nextjs Nim Nix Node
  OCaml Objective-C Opa OpenCart OracleForms Packer Perl Phalcon PlayFramework Plone Prestashop Processing PureScript Python
  Qooxdoo Qt R ROS Racket Rails Raku ReScript RhodesRhomobile Ruby Rust SCons SSDT-sqlproj Salesforce Sass Scala Scheme
  Scrivener Sdcc SeamGen SketchUp Smalltalk Solidity-Remix Stella SugarCRM Swift Symfony SymphonyCMS TeX Terraform
  TestComplete Textpattern TurboGears2 TwinCAT3 Typo3 Unity UnrealEngine VBA VVVV VisualStudio Waf WordPress Xojo Yeoman Yii
  ZendFramework Zephir Zig`.split(/\s+/),
);
