; Registers entail:// for the user, and removes it with the application.

!macro customInstall
  WriteRegStr SHELL_CONTEXT "Software\Classes\entail" "" "URL:Entail workbench"
  WriteRegStr SHELL_CONTEXT "Software\Classes\entail" "URL Protocol" ""
  ; After -- nothing is a switch of Chromium, whatever an address contains.
  WriteRegStr SHELL_CONTEXT "Software\Classes\entail\shell\open\command" "" '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" -- "%1"'
!macroend

!macro customUnInstall
  DeleteRegKey SHELL_CONTEXT "Software\Classes\entail"
!macroend
